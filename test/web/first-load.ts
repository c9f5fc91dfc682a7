// Measures a first load: bytes, requests and time until usable.
import type { Page } from 'playwright-core'

export type Load = { bytes: number; ms: number; requests: number }

/**
 * Bytes on the wire, and when the page's name stands there, of a browser that has never been here. `lastPart`: what is drawn from the
 * last file that counts.
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
  // Events are a request without an end.
  await page.waitForLoadState('networkidle', { timeout: 15_000 }).catch(() => {})
  return { bytes, ms, requests }
}
