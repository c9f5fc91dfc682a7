// Deepgram's public protocol for live audio: one word is "recognized" per quarter of a second.
import { setTimeout as delay } from 'node:timers/promises'
import { KEY, type Routes, startVendor } from './server.ts'

export const words = 'bom dia eu queria marcar uma consulta para amanhã'.split(' ')
const WORDS_A_PART = 4

/**
 * `silenceMs`: disconnects after this long without audio or KeepAlive (10 s in the original); `workMs`: processing time
 * per second of audio before the final transcript; `heard`: the words of every utterance.
 */
export const startDeepgram = (silenceMs = 10_000, workMs = 0, heard: readonly string[] = words) =>
  startVendor(routes(silenceMs, workMs, heard))

const routes = (silenceMs: number, workMs: number, words: readonly string[]): Routes => ({
  isAllowed: ({ headers }) => headers.authorization === `Token ${KEY}`,
  http: async () => false,

  socket({ url }, socket, hooks) {
    const { pathname, searchParams: query } = new URL(url, 'http://x')
    const rate = Number(query.get('sample_rate'))
    if (pathname !== '/v1/listen' || query.get('encoding') !== 'linear16' || !(rate >= 8_000) || !query.get('model'))
      return socket.close(1008, 'DATA-0000')
    const fault = hooks.nextFault()
    const send = (value: unknown) => {
      hooks.frames.push({ from: 'server', text: JSON.stringify(value) })
      socket.send(JSON.stringify(value))
    }
    let bytes = 0
    let said = 0
    let sent = 0
    let before = Promise.resolve()
    let busyUntilMs = 0
    const results = (from: number, to: number, is_final: boolean, from_finalize = false) =>
      send({
        type: 'Results',
        channel_index: [0, 1],
        start: from / 4,
        duration: (to - from) / 4,
        is_final,
        speech_final: false,
        from_finalize,
        channel: {
          alternatives: [
            {
              transcript: words.slice(from, to).join(' '),
              confidence: 0.9,
              words: words.slice(from, to).map((word, i) => ({
                word,
                start: (from + i) / 4,
                end: (from + i + 1) / 4,
                confidence: 0.9,
              })),
            },
          ],
        },
        metadata: { request_id: 'r', model_uuid: 'm', model_info: { name: 'n', version: 'v', arch: 'nova-3' } },
      })

    let quiet: NodeJS.Timeout | undefined
    const alive = () => {
      clearTimeout(quiet)
      quiet = setTimeout(() => socket.close(1011, 'NET-0001'), silenceMs)
    }
    alive()
    socket.once('close', () => clearTimeout(quiet))
    if (fault === 'wrong') socket.send('<html>A page of some proxy</html>')
    socket.on('message', (data, isBinary) => {
      alive()
      if (fault === 'silent') return
      if (!isBinary) {
        const { type } = JSON.parse(data.toString()) as { type: string }
        before = before.then(() => control(type))
        return
      }
      bytes += (data as Buffer).length
      busyUntilMs = Math.max(busyUntilMs, performance.now()) + ((data as Buffer).length / rate / 2) * workMs
      const now = Math.min(words.length, Math.floor(bytes / (rate / 2)))
      if (fault === 'drip') return
      if (fault === 'reset' && now >= 2) return socket.terminate()
      while (now - said >= WORDS_A_PART) {
        results(said, said + WORDS_A_PART, true)
        said += WORDS_A_PART
      }
      if (query.get('interim_results') === 'true' && now > said && now > sent) results(said, now, false)
      sent = now
    })
    async function control(type: string) {
      if (fault === 'stall') return
      if (workMs > 0) await delay(Math.max(0, busyUntilMs - performance.now()))
      const now = Math.min(words.length, Math.floor(bytes / (rate / 2)))
      if (fault === 'drip') {
        for (; said < now - 1; said++) {
          results(said, said + 1, true)
          await delay(60)
        }
      }
      if (type === 'Finalize') {
        results(said, now, true, true)
        said = now
      }
      if (type !== 'CloseStream') return
      if (now > said) results(said, now, true)
      send({
        type: 'Metadata',
        transaction_key: 'deprecated',
        request_id: 'r',
        sha256: '',
        created: '2026-01-01T00:00:00Z',
        duration: bytes / rate / 2,
        channels: 1,
      })
      socket.close(1000)
    }
  },
})
