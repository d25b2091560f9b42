import { unlessJustPast } from './reset-time.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** ISO 8601 of a time in seconds since 1970, or undefined for what can be none. */
export function timeFromEpoch(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || !(seconds > 1e9 && seconds < 1e11)) return undefined;
  return new Date(seconds * 1000).toISOString();
}

/** Minutes that a zone's clocks are ahead of UTC at an instant; undefined for a zone that nobody knows. */
function offsetOf(zone: string, at: number): number | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).formatToParts(at);
    const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value);
    const year = part('year') + (part('year') < 100 ? 2000 : 0);
    const wall = Date.UTC(year, part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return Math.round((wall - at) / MINUTE_MS);
  } catch {
    // No such zone.
    return undefined;
  }
}

/** The instant of a wall clock's time in a zone. `fields`: year, month (from 0), day, hour, minute. */
function instant(fields: [number, number, number, number, number], zone: string): number | undefined {
  const wall = Date.UTC(...fields);
  const first = offsetOf(zone, wall);
  if (first === undefined) return undefined;
  // Once more with the offset of that instant: clocks may change in between.
  return wall - (offsetOf(zone, wall - first * MINUTE_MS) ?? first) * MINUTE_MS;
}

/**
 * When a limit ends, as claude says it in words: `resets 3pm`, `resets 8:58pm (UTC)`, `resets Oct 5, 3pm
 * (Europe/Berlin)`, and in older versions `limit reached|1796072302`. ISO 8601, the next such time after `now` (epoch
 * ms); a time without a zone is of `localZone`. undefined for a text that names none.
 */
export function resetTime(
  text: string,
  now: number,
  localZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
): string | undefined {
  const epoch = /limit reached\|(\d{10})\b/i.exec(text)?.[1];
  if (epoch !== undefined) return timeFromEpoch(Number(epoch));
  const said =
    /\bresets? (?:at )?(?:([A-Z][a-z]{2})[a-z]* (\d{1,2})(?:,? at|,)? )?(\d{1,2})(?::(\d\d))? ?([ap]m)(?: \(([\w/+-]+)\))?/.exec(
      text,
    );
  if (!said) return undefined;
  const [, month, day, hour, minute = '0', half, zone = localZone] = said;
  const offset = offsetOf(zone, now);
  const monthIndex = month === undefined ? undefined : MONTHS.indexOf(month.toLowerCase());
  if (offset === undefined || monthIndex === -1) return undefined;
  const today = new Date(now + offset * MINUTE_MS);
  const clock = [(Number(hour) % 12) + (half === 'pm' ? 12 : 0), Number(minute)] as const;
  const year = today.getUTCFullYear();
  const dated = monthIndex !== undefined;
  const date = dated
    ? ([monthIndex, Number(day)] as const)
    : ([today.getUTCMonth(), today.getUTCDate()] as const);
  // A clock's time that has passed today is tomorrow's, a date that has passed is next year's.
  const candidates = dated
    ? [instant([year, ...date, ...clock], zone), instant([year + 1, ...date, ...clock], zone)]
    : [instant([year, ...date, ...clock], zone), instant([year, date[0], date[1] + 1, ...clock], zone)];
  // A date a little past is no date of next year.
  const earliest = dated ? now - DAY_MS : now;
  const found = candidates
    .map((time) => time && unlessJustPast(time, now))
    .find((time) => time !== undefined && time >= earliest);
  return found === undefined ? undefined : new Date(found).toISOString();
}
