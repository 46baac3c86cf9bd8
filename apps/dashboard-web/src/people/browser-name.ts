/** Chromium browsers also contain Chrome and Safari in their name, so the more specific name comes first. */
const BROWSERS = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const SYSTEMS = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** "Chrome · Android" of a User-Agent header; undefined if neither browser nor system is known. */
export function browserName(userAgent: string | null): string | undefined {
  if (userAgent === null) return undefined;
  const known = [BROWSERS, SYSTEMS].flatMap((names) => names.find(([pattern]) => pattern.test(userAgent))?.[1] ?? []);
  return known.length === 0 ? undefined : known.join(' · ');
}
