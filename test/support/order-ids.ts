import fc from 'fast-check';

/** The ids that a service may give to an order: 1 to 128 characters of `!` to `~`, but for a path's `.` and `..`. */
export const orderIds = fc
  .array(fc.integer({min: 0x21, max: 0x7e}), {minLength: 1, maxLength: 128})
  .map(codes => String.fromCharCode(...codes))
  .filter(text => text !== '.' && text !== '..');
