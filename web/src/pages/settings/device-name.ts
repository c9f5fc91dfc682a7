// A readable browser name from a user agent, such as "Firefox, Windows". Best effort.

/** The first match wins: many user agents also name the browsers they imitate. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|Chromium|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

export type DeviceName = { name: string | null; isMobile: boolean }

export function deviceName(userAgent: string | null): DeviceName {
  const text = userAgent ?? ''
  const named = (list: typeof browsers) => list.find(([pattern]) => pattern.test(text))?.[1]
  const [browser, system] = [named(browsers), named(systems)]
  const isMobile = system === 'iPhone' || system === 'iPad' || system === 'Android'
  // Not a browser: use the first word of the user agent.
  const name = [browser, system].filter(Boolean).join(', ') || /^[^\s/]{1,40}/.exec(text)?.[0] || null
  return { name, isMobile }
}
