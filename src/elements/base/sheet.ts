/** Whether what stands in front of the form is best a sheet: with a coarse pointer, in a window that is narrow or low. */
export function isSmallTouchScreen(): boolean {
  return matchMedia('(pointer: coarse) and ((max-width: 40rem) or (max-height: 30rem))').matches;
}
