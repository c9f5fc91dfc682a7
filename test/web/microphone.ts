// The microphone of a page: silent until the test speaks into it. Chromium's own fake plays its file from the moment it
// is opened, so a question would come at a fixed time, not when it is due.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

type Mouth = { say(wav: string): Promise<void> }

/** Must be called before the page is opened. */
export const giveMicrophone = (page: Page) => page.addInitScript(ownMicrophone)

/** Runs in the page: still asks the browser for its microphone, but replaces the audio. */
function ownMicrophone(): void {
  const devices = navigator.mediaDevices
  const open = devices.getUserMedia.bind(devices)
  devices.getUserMedia = async (asked) => {
    for (const track of (await open(asked)).getTracks()) track.stop()
    const context = new AudioContext()
    const microphone = context.createMediaStreamDestination()
    const say = async (wav: string) => {
      const buffer = await context.decodeAudioData(Uint8Array.fromBase64(wav).buffer)
      const source = new AudioBufferSourceNode(context, { buffer })
      source.connect(microphone)
      const over = new Promise((resolve) => source.addEventListener('ended', resolve))
      source.start()
      await over
    }
    Object.assign(window, { mouth: { say } satisfies Mouth })
    return microphone.stream
  }
}

/** Plays a recording from `test/fixtures`; resolves once it has ended. */
export async function say(page: Page, question: string): Promise<void> {
  const wav = readFileSync(join(import.meta.dirname, '..', 'fixtures', question)).toString('base64')
  await page.evaluate((said) => (window as never as { mouth: Mouth }).mouth.say(said), wav)
}
