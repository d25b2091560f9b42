/**
 * Milliseconds of the machine's monotonic clock. Comparable between processes of one boot (Linux and
 * macOS: time since boot without suspends; Windows: the performance counter), untouched by clock steps.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}

/**
 * Wall time for people and records, ISO 8601 in UTC. Never used for a verdict. By arithmetic: the first use of a Date
 * makes Node load the time zone, which takes a hot script up to 3 ms.
 */
export function wallTime(epochMs: number = Date.now()): string {
  const days = Math.floor(epochMs / 86_400_000);
  const { year, month, day } = civilDate(days);
  const inDay = Math.floor(epochMs) - days * 86_400_000;
  const two = (value: number) => String(value).padStart(2, '0');
  const time = [inDay / 3_600_000, (inDay / 60_000) % 60, (inDay / 1000) % 60].map((part) =>
    two(Math.floor(part)),
  );
  return `${year}-${two(month)}-${two(day)}T${time.join(':')}.${String(inDay % 1000).padStart(3, '0')}Z`;
}

/** Gregorian date of a day counted from 1970-01-01, from 1970 on. Years begin in March here: leap days come last. */
function civilDate(days: number): { year: number; month: number; day: number } {
  const fromMarch0000 = days + 719_468;
  const era = Math.floor(fromMarch0000 / 146_097);
  const ofEra = fromMarch0000 - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shifted = Math.floor((5 * ofYear + 2) / 153);
  const month = shifted < 10 ? shifted + 3 : shifted - 9;
  const day = ofYear - Math.floor((153 * shifted + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}
