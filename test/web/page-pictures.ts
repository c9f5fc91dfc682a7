// Takes screenshots of every page on a desktop, on a phone and in the dark theme: `npm run pictures:pages`. Not a test.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Look, openBrowser, visitSignedIn } from './browser.ts'
import { startDemo } from './demo.ts'
import { demoPages } from './demo-pages.ts'

const folder = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'pages')
mkdirSync(folder, { recursive: true })
const looks: Record<string, Look> = {
  desktop: { language: 'pt', screen: 'desk', theme: 'light' },
  phone: { language: 'es', screen: 'phone', theme: 'light' },
  dark: { language: 'en', screen: 'desk', theme: 'dark' },
}

const demo = await startDemo({ EMBEDDED_VOICE: 'off' })
const browser = await openBrowser()
/** `/agents/:id/talk` becomes `agents-one-talk`: the id is dropped. */
const nameOf = (path: string) =>
  path
    .replace(/\/[a-z]+_[0-9A-Za-z]+/g, '/one')
    .replace('?tab=', '/')
    .split('/')
    .filter(Boolean)
    .join('-') || 'home'

const only = process.argv[2]
for (const [look, options] of Object.entries(looks)) {
  const { page } = await visitSignedIn(browser, demo, options)
  for (const [path, shows] of demoPages(demo)) {
    const name = `${nameOf(path)}-${look}`
    if (only && !name.includes(only)) continue
    await page.goto(path)
    await page.locator('main h1').waitFor()
    if (shows)
      await page
        .locator('main')
        .getByText(shows)
        .or(page.locator(`main input[value="${shows}"]`))
        .first()
        .waitFor()
    await page.waitForFunction(() => !document.querySelector('main .mantine-Loader-root'))
    await page.evaluate(() => document.fonts.ready)
    await page.waitForLoadState('networkidle').catch(() => {})
    await page.screenshot({ path: join(folder, `${name}.jpg`), type: 'jpeg', quality: 72 })
    process.stdout.write(`${name}\n`)
  }
  await page.context().close()
}
await browser.close()
await demo.app.close()
