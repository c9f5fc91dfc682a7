// Dashboard benchmark in a real browser: first load, time until usable, the first row of each list, and scrolling
// through 50,000 calls.
// npm run bench:web -- [--calls 50000] [--times 5] [--short]
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright-core'
import { newId } from '../../src/base/ids.ts'
import { ensurePrograms } from '../../test/servers.ts'
import { screens } from '../../test/web/browser.ts'
import { putCalls, startDemo } from '../../test/web/demo.ts'
import { firstLoad, type Load } from '../../test/web/first-load.ts'
import { type Figure, median, ms, NOT_MEASURED, percentile, spread, withUnit } from '../report/figures.ts'
import { benchmark, commonOptions, type Report } from '../report/report.ts'

const { values } = parseArgs({ options: { ...commonOptions, calls: { type: 'string' }, times: { type: 'string' } } })
const count = Number(values.calls ?? (values.short ? 5000 : 50_000))
const times = Number(values.times ?? (values.short ? 1 : 5))
const LISTED = 5000
const number = withUnit('')
const kB = (bytes: number) => `${(bytes / 1000).toFixed(0)} kB`
type Demo = Awaited<ReturnType<typeof startDemo>>
type Where = { demo: Demo; browser: Browser }

async function newPage({ demo, browser }: Where, isSignedIn: boolean): Promise<Page> {
  const context = await browser.newContext({ baseURL: demo.url, viewport: screens.desk })
  const page = await context.newPage()
  if (isSignedIn) await page.request.post('/auth/login', { data: { apiKey: demo.key } })
  return page
}

async function loadOnce(where: Where, path: string, isSignedIn: boolean): Promise<Load> {
  const page = await newPage(where, isSignedIn)
  const load = await firstLoad(page, path)
  await page.context().close()
  return load
}

async function firstLoads(report: Report, where: Where): Promise<void> {
  const { ids } = where.demo
  report.heading(`First load, ${times} times each, nothing in the browser's cache`)
  const table = report.table(['page', 'transferred', 'requests', 'usable after: median and range'])
  for (const [path, isSignedIn] of [
    ['/', false],
    ['/', true],
    ['/agents', true],
    [`/agents/${ids.agent}`, true],
    ['/calls', true],
  ] as const) {
    const loads: Load[] = []
    for (let i = 0; i < times; i++) loads.push(await loadOnce(where, path, isSignedIn))
    const name = `${path.replace(ids.agent, ':id')}${isSignedIn ? '' : ' (sign-in)'}`
    const bytes = median(loads.map((one) => one.bytes))
    const took = spread(loads.map((one) => one.ms), ms) // biome-ignore format: one line
    table.row([name, bytes === null ? NOT_MEASURED : kB(bytes), number(median(loads.map((one) => one.requests))), took])
  }
  const assets = join(import.meta.dirname, '..', '..', 'web', 'dist', 'assets')
  const all = readdirSync(assets)
    .filter((name) => !name.endsWith('.br'))
    .map((name) => readFileSync(join(assets, name)))
  const sum = (size: (file: Buffer) => number) => kB(all.reduce((bytes, file) => bytes + size(file), 0))
  report.text(
    `All files of the page: ${sum((f) => f.length)}, gzip ${sum((f) => gzipSync(f).length)}, brotli ${sum((f) => brotliCompressSync(f).length)}.`,
  )
}

/** Time from the click in the menu to the first row of the list, with 300 agents and the first 5,000 calls. */
async function firstRows(report: Report, where: Where): Promise<void> {
  report.heading(`First row of a list, with 300 agents and ${LISTED} calls, ${times} times each`)
  const table = report.table(['list', 'first row after: median and range', 'not within 30 s'])
  const page = await newPage(where, true)
  await page.goto('/')
  await page.locator('h1').waitFor()
  for (const path of ['/agents', '/calls', '/conversations', '/numbers', '/tools']) {
    const took: Figure[] = []
    for (let i = 0; i <= times; i++) {
      await page.goto('/')
      await page.locator(`nav a[href="${path}"]`).waitFor()
      await page.waitForLoadState('networkidle')
      const ms = await page.evaluate(async (to) => {
        const start = performance.now()
        document.querySelector<HTMLElement>(`nav a[href="${to}"]`)?.click()
        while (!document.querySelector('[role=grid] [role=row][aria-selected]')) {
          await new Promise(requestAnimationFrame)
          if (performance.now() - start > 30_000) return null
        }
        return performance.now() - start
      }, path)
      if (i > 0) took.push(ms) // the first load reads the page's files
    }
    table.row([path, spread(took, ms), took.filter((each) => each === null).length])
  }
  await page.context().close()
}

async function addAgents({ db }: Demo['database'], agentId: string): Promise<string[]> {
  const ids: string[] = []
  const {
    id: _,
    createdAt,
    ...agent
  } = await db.selectFrom('agents').selectAll().where('id', '=', agentId).executeTakeFirstOrThrow()
  for (let i = 0; i < 300; i++) {
    const copy = { ...agent, id: newId('agt'), name: `Agent ${i}`, createdAt }
    ids.push(copy.id)
    await db.insertInto('agents').values(copy).execute()
  }
  return ids
}

async function scrolling(report: Report, where: Where): Promise<void> {
  const page = await newPage(where, true)
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
    return {
      gaps,
      seen,
      rows: document.querySelectorAll('[role=row]').length,
    }
  })
  report.heading(`${count} calls, scrolled by 400 pixels a frame for 15 s`)
  const table = report.table(['frames', 'p50', 'p99', 'longest', 'row reached', 'rows in the document'])
  const { gaps, seen, rows } = scrolled
  const times = [0.5, 0.99, 1].map((share) => ms(percentile(gaps, share)))
  table.row([gaps.length, ...times, seen, rows])
}

await benchmark({ name: 'web', title: 'Dashboard benchmark' }, values, async (report) => {
  if (!(count > 0) || !(times > 0)) throw new Error('--calls and --times must be numbers above 0')
  ensurePrograms('chromium')
  const demo = await startDemo({ EMBEDDED_VOICE: 'off' })
  const { db } = demo.database
  const { id: trunkId } = await db.selectFrom('trunks').select('id').executeTakeFirstOrThrow()
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] })
  const where = { demo, browser }
  await firstLoads(report, where)
  const agents = await addAgents(demo.database, demo.ids.agent)
  await putCalls(db, demo.userId, agents, trunkId, LISTED)
  await firstRows(report, where)
  await putCalls(db, demo.userId, [demo.ids.agent], trunkId, count)
  await scrolling(report, where)
  await browser.close()
  await demo.app.close()
})
