// Measures a first load: bytes, requests and time until usable.
import type { Page } from 'playwright-core'

export type Load = { bytes: number; ms: number; requests: number }

/**
 * Bytes on the wire and time until the page's heading is shown, in a browser with an empty cache. `lastPart`: the
 * element drawn by the last file that counts.
 */
export async function firstLoad(page: Page, path: string, lastPart = 'h1'): Promise<Load> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let [bytes, requests] = [0, 0]
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
    requests++
  })
  const began = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  await page.locator('h1').first().waitFor()
  const ms = performance.now() - began
  await page.locator(lastPart).first().waitFor()
  // The event stream is a request that never ends.
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => {})
  return { bytes, ms, requests }
}
