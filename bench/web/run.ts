// Dashboard benchmark in a real browser: first load, time until usable, the first row of each list, and scrolling through 50,000 calls.
//   npm run bench:web -- [--calls 50000] [--times 5]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { chromium, type Page } from 'playwright-core'
import { newId } from '../../src/base/ids.ts'
import { screens } from '../../test/web/browser.ts'
import { putCalls, startDemo } from '../../test/web/demo.ts'
import { firstLoad, type Load } from '../../test/web/first-load.ts'

const { values } = parseArgs({ options: { calls: { type: 'string' }, times: { type: 'string' } } })
const count = Number(values.calls ?? 50_000)
const times = Number(values.times ?? 5)
const say = (text: string) => void process.stdout.write(`${text}\n`)
const kB = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN

const demo = await startDemo({ EMBEDDED_VOICE: 'off' })
const { db } = demo.database
const { id: trunkId } = await db.selectFrom('trunks').select('id').executeTakeFirstOrThrow()
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })

async function newPage(isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: demo.url, viewport: screens.desk })
  const page = await context.newPage()
  if (isSignedIn) await page.request.post('/auth/login', { data: { apiKey: demo.key } })
  return page
}

async function loadOnce(path: string, isSignedIn: boolean): Promise<Load> {
  const page = await newPage(isSignedIn)
  const load = await firstLoad(page, path)
  await page.context().close()
  return load
}

say(`# The page (${times} loads each, nothing in the browser's cache)`)
for (const [path, isSignedIn] of [
  ['/', false],
  ['/', true],
  ['/agents', true],
  [`/agents/${demo.ids.agent}`, true],
  ['/calls', true],
] as const) {
  const loads = []
  for (let i = 0; i < times; i++) loads.push(await loadOnce(path, isSignedIn))
  const ms = loads.map((one) => one.ms)
  const name = `${path.replace(demo.ids.agent, ':id')}${isSignedIn ? '' : ' (sign-in)'}`
  say(
    `${name.padEnd(14)} ${kB(median(loads.map((l) => l.bytes)))} in ${median(loads.map((l) => l.requests))} requests, ` +
      `usable after ${median(ms).toFixed(0)} ms (longest ${Math.max(...ms).toFixed(0)})`,
  )
}

const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets')
const all = readdirSync(assets)
  .filter((name) => !name.endsWith('.br'))
  .map((name) => readFileSync(join(assets, name)))
const sum = (size: (file: Buffer) => number) => kB(all.reduce((bytes, file) => bytes + size(file), 0))
say(
  `all files of the page: ${sum((f) => f.length)}, gzip ${sum((f) => gzipSync(f).length)}, brotli ${sum((f) => brotliCompressSync(f).length)}`,
)

/** From the click in the menu to the first row of the list, with 300 agents and the first 5,000 calls. */
async function firstRows(): Promise<void> {
  say(`# Lists with 300 agents and ${LISTED} calls (${times} times each)`)
  const page = await newPage(true)
  await page.goto('/')
  await page.locator('h1').waitFor()
  for (const path of ['/agents', '/calls', '/conversations', '/numbers', '/tools']) {
    const took: number[] = []
    for (let i = 0; i <= times; i++) {
      await page.goto('/')
      await page.locator(`nav a[href="${path}"]`).waitFor()
      await page.waitForLoadState('networkidle')
      const ms = await page.evaluate(async (to) => {
        const start = performance.now()
        document.querySelector<HTMLElement>(`nav a[href="${to}"]`)?.click()
        while (!document.querySelector('[role=grid] [role=row][aria-selected]')) {
          await new Promise(requestAnimationFrame)
          if (performance.now() - start > 30_000) return Number.NaN
        }
        return performance.now() - start
      }, path)
      if (i > 0) took.push(ms) // the first time reads the page's files
    }
    say(`${path.padEnd(16)} first row after ${median(took).toFixed(0)} ms (longest ${Math.max(...took).toFixed(0)})`)
  }
  await page.context().close()
}

const LISTED = 5000
const agents: string[] = []
for (let i = 0; i < 300; i++) {
  const { id, createdAt, ...agent } = await db
    .selectFrom('agents')
    .selectAll()
    .where('id', '=', demo.ids.agent)
    .executeTakeFirstOrThrow()
  const copy = { ...agent, id: newId('agt'), name: `Agent ${i}`, createdAt }
  agents.push(copy.id)
  await db.insertInto('agents').values(copy).execute()
}
await putCalls(db, demo.userId, agents, trunkId, LISTED)
await firstRows()
await putCalls(db, demo.userId, [demo.ids.agent], trunkId, count)

const page = await newPage(true)
await page.goto('/calls')
await page.locator('[role=row]').nth(5).waitFor()
const scrolled = await page.evaluate(async () => {
  const inside = [...document.querySelectorAll<HTMLElement>('main *')].filter(
    (one) => one.scrollHeight > one.clientHeight + 200 && /auto|scroll/.test(getComputedStyle(one).overflowY),
  )
  const box = inside[0] ?? document.documentElement
  const gaps: number[] = []
  let last = performance.now()
  const until = last + 15_000
  let seen = 0
  while (performance.now() < until) {
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    gaps.push(now - last)
    last = now
    box.scrollTop += 400
    seen = Math.max(
      seen,
      ...[...document.querySelectorAll('[aria-rowindex]')].map((row) => Number(row.getAttribute('aria-rowindex'))),
    )
  }
  const sorted = gaps.toSorted((a, b) => a - b)
  return {
    frames: gaps.length,
    p99: sorted[Math.floor(gaps.length * 0.99)],
    longest: sorted.at(-1),
    seen,
    rows: document.querySelectorAll('[role=row]').length,
  }
})
say(`# ${count} calls, scrolled by 400 pixels a frame for 15 s`)
say(
  `${scrolled.frames} frames, p99 ${scrolled.p99?.toFixed(0)} ms, longest ${scrolled.longest?.toFixed(0)} ms; ` +
    `row ${scrolled.seen} was reached; ${scrolled.rows} rows in the document`,
)
await browser.close()
await demo.app.close()
