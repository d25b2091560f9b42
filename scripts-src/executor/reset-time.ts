const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The longest window of an account is a week; a reset that is later than this was misread, or concerns something else. */
const BELIEVED_MS = 8 * DAY_MS;

/** By so much the clock of this machine is taken to be ahead of the server's, at most. */
const AHEAD_MS = 5 * MINUTE_MS;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `7:24 PM`, `19:24`, `7 PM`; the space may be a narrow one. */
const CLOCK = /^(\d{1,2})(?::(\d\d)(?::\d\d)?)?\s?(?:([ap])\.?m\b)?/i;
/** `Dec 1st, 2026 7:24 PM`, `December 1, 7 PM`, `Dec 1 at 19:24`. */
const DATE = /^([a-z]{3})[a-z]*\.? (\d{1,2})(?:st|nd|rd|th)?,?(?: (\d{4}))?,?(?: at)? (?=\d)/i;
/** One part of `3 days 6 hours 57 minutes`, `6m0s`, `1.5s`, `about an hour`. */
const PART =
  /^(?:about |less than |,? ?and |, ?)?(\d+(?:\.\d+)?|an?)\s?(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)(?![a-z])\s*/i;

const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  milli: 1,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/**
 * When a limit ends, as a text or a body tells it: `resets_at` and `resets_in_seconds`, `try again at 7:24 PM`, `try again
 * at Dec 1st, 2026 7:24 PM`, `try again in 2 hours 5 minutes`. ISO 8601; undefined where nothing is told, and for a time
 * that is past or more than 8 days ahead.
 *
 * `saidAt`: epoch ms of the moment when it was said. A clock's time is in the local zone (FACTS-codex.md, Failures) and is
 * the next such minute; codex leaves the seconds out, so within that minute its end is meant.
 */
export function resetTime(text: string, saidAt: number): string | undefined {
  const said = text.slice(0, 8192);
  const at = told(said, saidAt);
  return at === undefined ? undefined : believedTime(unlessJustPast(at, saidAt), saidAt);
}

/**
 * A reset (epoch ms) as it is told by a server that is still at its limit: one that was a moment ago by the clock of this
 * machine, which is ahead of the server's, is a minute away, and not the same time of the next day.
 */
export function unlessJustPast(at: number, now: number): number {
  return at <= now && now - at < AHEAD_MS ? now + MINUTE_MS : at;
}

/** ISO 8601 of a reset time (epoch ms), or undefined where it is past or more than 8 days after `now`. */
export function believedTime(at: number, now: number): string | undefined {
  return at > now && at <= now + BELIEVED_MS ? new Date(at).toISOString() : undefined;
}

/** Seconds to wait before another try, where a text says so (`try again in 1.5s`, `retry-after: 2`); up to 8 days. */
export function secondsToWait(text: string): number | undefined {
  const said = text.slice(0, 8192);
  const header = /\bretry[-_ ]after(?:_seconds)?"?\s*[:=]?\s*"?(\d+(?:\.\d+)?)(?![\d\w])/i.exec(said)?.[1];
  const waitMs = header === undefined ? durationIn(said) : Number(header) * SECOND_MS;
  return waitMs !== undefined && waitMs > 0 && waitMs <= BELIEVED_MS ? waitMs / SECOND_MS : undefined;
}

function told(said: string, saidAt: number): number | undefined {
  const epoch = /\bresets?_at\\?"?\s*[:=]\s*"?(\d{10})(?:\.\d+)?\b/.exec(said)?.[1];
  if (epoch !== undefined) return Number(epoch) * SECOND_MS;
  const seconds = /\bresets?_in_seconds\\?"?\s*[:=]\s*"?(\d{1,9})\b/.exec(said)?.[1];
  if (seconds !== undefined) return saidAt + Number(seconds) * SECOND_MS;
  for (const { 1: rest = '' } of said.matchAll(
    /\b(?:again|resets?)(?: (?:at|on|after))?[: ]\s*(.{1,60})/gi,
  )) {
    const moment = momentOf(rest, saidAt);
    if (moment !== undefined) return moment;
  }
  const waitMs = durationIn(said);
  return waitMs === undefined ? undefined : saidAt + waitMs;
}

/** The moment that the beginning of a text names by a date, a clock's time, or both. */
function momentOf(text: string, saidAt: number): number | undefined {
  const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)/.exec(text)?.[0];
  if (iso !== undefined) return finite(Date.parse(iso));
  const date = DATE.exec(text);
  const clock = clockOf(date ? text.slice(date[0].length) : text);
  if (!clock) return undefined;
  const today = new Date(saidAt);
  if (!date) {
    const next = (days: number) =>
      localTime(today.getFullYear(), today.getMonth(), today.getDate() + days, clock);
    return [next(0), ...onceMore(next(0)), next(1)]
      .map((at) => soonest(at, saidAt))
      .find((at) => at > saidAt);
  }
  const month = MONTHS.indexOf((date[1] ?? '').toLowerCase());
  const day = Number(date[2]);
  if (month < 0 || day < 1 || day > 31) return undefined;
  const years = date[3] === undefined ? [today.getFullYear(), today.getFullYear() + 1] : [Number(date[3])];
  const found = years.map((year) => soonest(localTime(year, month, day, clock), saidAt));
  return found.find((at) => at > saidAt);
}

type Clock = readonly [hour: number, minute: number];

function clockOf(text: string): Clock | undefined {
  const match = CLOCK.exec(text);
  if (!match) return undefined;
  const [, digits, minutes, half] = match;
  // A number alone is no time.
  if (minutes === undefined && half === undefined) return undefined;
  const hour = Number(digits);
  const minute = Number(minutes ?? 0);
  if (minute > 59 || hour > 23 || (half !== undefined && (hour < 1 || hour > 12))) return undefined;
  if (half === undefined) return [hour, minute];
  return [(hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0), minute];
}

function localTime(year: number, month: number, day: number, [hour, minute]: Clock): number {
  return new Date(year, month, day, hour, minute).getTime();
}

/** The same clock's time an hour later, in the hour that comes twice when clocks go back. */
function onceMore(at: number): number[] {
  const later = at + HOUR_MS;
  return new Date(later).getHours() === new Date(at).getHours() ? [later] : [];
}

/** The end of a minute that is running, because the seconds were left out. */
function soonest(at: number, now: number): number {
  return at <= now && now < at + MINUTE_MS ? at + MINUTE_MS : unlessJustPast(at, now);
}

/** The length of `in 2 hours 5 minutes`, ms, behind a word that says what is waited for. */
function durationIn(text: string): number | undefined {
  const start =
    /\b(?:again|resets?|retry|retrying|wait)(?: in| after| for)? (?=(?:about |less than )?(?:\d|an? ))/i.exec(
      text,
    );
  if (!start) return undefined;
  let rest = text.slice(start.index + start[0].length);
  let sum: number | undefined;
  for (let part = PART.exec(rest); part; part = PART.exec(rest)) {
    const [whole, count = '', name = ''] = part;
    const unit = /^milli/i.test(name) ? 'milli' : name.toLowerCase() === 'ms' ? 'ms' : name[0]?.toLowerCase();
    sum = (sum ?? 0) + (/^an?$/i.test(count) ? 1 : Number(count)) * (UNITS[unit ?? ''] ?? 0);
    rest = rest.slice(whole.length);
  }
  return sum;
}

function finite(at: number): number | undefined {
  return Number.isFinite(at) ? at : undefined;
}
