/**
 * A moment as the clock on the wall shows it: `19:24`, with the date where that is not today, and with the seconds where it
 * is near. Pure but for the time zone.
 */
export function localTime(epochMs: number, nowEpochMs: number): string {
  const [then, now] = [new Date(epochMs), new Date(nowEpochMs)];
  const two = (value: number) => String(value).padStart(2, '0');
  const isNear = Math.abs(epochMs - nowEpochMs) < 600_000;
  const words = [then.getHours(), then.getMinutes(), ...(isNear ? [then.getSeconds()] : [])];
  const time = words.map(two).join(':');
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}
