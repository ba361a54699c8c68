/** The icons that are not in the form, each as the path of one line in a square of 20. `sign` renders them. */
export const signs = {
  close: 'M5 5l10 10M15 5 5 15',
  copy: 'M7.5 7.5v-2A1.5 1.5 0 0 1 9 4h5.5A1.5 1.5 0 0 1 16 5.5V11a1.5 1.5 0 0 1-1.5 1.5h-2M4 9a1.5 1.5 0 0 1 1.5-1.5H11A1.5 1.5 0 0 1 12.5 9v5.5A1.5 1.5 0 0 1 11 16H5.5A1.5 1.5 0 0 1 4 14.5z',
  gear: 'M4 6h7M15 6h1M4 14h1M9 14h7M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z',
  info: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.5v4M10 6.7v.01',
  pause: 'M10 17.5a7.5 7.5 0 1 0 0-15 7.5 7.5 0 0 0 0 15zM8.3 7.5v5M11.7 7.5v5',
  pen: 'M4 16l.7-3L13 4.7l2.3 2.3L7 15.3z',
  search: 'M9 14.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM13 13l3.5 3.5',
};
