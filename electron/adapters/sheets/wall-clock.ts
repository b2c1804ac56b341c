const two = (number: number): string => String(number).padStart(2, '0');

/** What the clock on the wall shows at an instant: `2026-11-19`, `14:02`. */
export function wallClock(instant: number): { readonly day: string; readonly time: string } {
  const date = new Date(instant);
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return { day, time: `${two(date.getHours())}:${two(date.getMinutes())}` };
}
