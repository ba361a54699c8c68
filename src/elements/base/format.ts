/** By how many steps an amount's font size is reduced so that it fits on its line. */
export function lengthStep(text: string): '0' | '1' | '2' | '3' {
  return text.length < 8 ? '0' : text.length < 10 ? '1' : text.length < 13 ? '2' : '3';
}

/** A duration in clock format, “0:24” or “1:05:00”, never negative. */
export function countdown(milliseconds: number): string {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (n: number) => String(n % 60).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60);
  return hours ? `${String(hours)}:${two(minutes)}:${two(seconds)}` : `${String(minutes)}:${two(seconds)}`;
}

/** A handler of keys for Enter, which would otherwise press the button that may be focused by then. */
export function onEnter(act: () => unknown): (event: KeyboardEvent) => void {
  return event => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    act();
  };
}
