// The process under test: a number of calls, each with endless playout, listening and recording.
import { join } from 'node:path'
import type { CodecName, LegStats, Media, MediaLeg } from '../../src/rtp/leg.ts'
import { openMedia } from '../../src/rtp/pool.ts'
import type { Audio } from '../../src/voice/ports.ts'
import { pcmuTo, tone } from '../../test/rtp-peer.ts'

export type ToHost =
  | { do: 'open'; calls: number; port: number; codec: CodecName; payloadType: number }
  | { do: 'talk'; folder: string }
  | { do: 'close' }
export type HostReport = { load: ReturnType<Media['load']>; concealed: number }

const media = await openMedia({ host: '127.0.0.1', ports: { from: 30_000, to: 32_767 } })
const legs: MediaLeg[] = []
const stop = new AbortController()

/** Arrives like synthesized speech, in chunks of a few hundred milliseconds. */
async function* speech(): Audio {
  const pcm = tone(440, 500)
  for (;;) yield { pcm, rateHz: 8000 }
}

async function listen(leg: MediaLeg): Promise<void> {
  for await (const _ of leg.input);
}

async function obey(wish: ToHost): Promise<unknown> {
  if (wish.do === 'open') {
    const { calls, port, codec, payloadType } = wish
    for (let i = 0; i < calls; i++) {
      const leg = await media.open()
      leg.configure(pcmuTo(port, { codec, payloadType }))
      legs.push(leg)
    }
    return { ports: legs.map((leg) => leg.port) }
  }
  if (wish.do === 'talk') {
    for (const [i, leg] of legs.entries()) {
      await leg.record(join(wish.folder, `${i}.wav`))
      void listen(leg)
      void leg.play(speech(), stop.signal)
    }
    return {}
  }
  const load = media.load()
  stop.abort()
  const stats: LegStats[] = await Promise.all(legs.map((leg) => leg.close()))
  await media.close()
  return { load, concealed: stats.reduce((sum, { concealed }) => sum + concealed, 0) } satisfies HostReport
}

process.on('message', (wish: ToHost) => void obey(wish).then((told) => process.send?.(told)))
process.send?.('ready')
