// Azure's public protocol for speech recognition: WebSocket as used by its Speech SDK, and REST. One word per quarter
// of a second.
import { setTimeout as delay } from 'node:timers/promises'
import { words } from './deepgram.ts'
import { type Asked, KEY, type Routes, startVendor, statusOfFault } from './server.ts'

const WORDS_A_PHRASE = 4
const HUGE = 17 * 1024 * 1024
const TICKS_A_WORD = 2_500_000

/** Capitalized and with a full stop, as Azure writes final text; hypotheses have neither. */
export const phraseOf = (from: number, to: number) => {
  const text = words.slice(from, to).join(' ')
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
export const azureSentence = [phraseOf(0, 4), phraseOf(4, 8), phraseOf(8, 9)].filter(Boolean).join(' ')

const isRecognition = (pathname: string) =>
  /^(\/stt)?\/speech\/recognition\/(conversation|interactive|dictation)\/cognitiveservices\/v1$/.test(pathname) ||
  pathname === '/stt/speech/universal/v2'

function phrase(from: number, to: number, format: string | null) {
  const text = phraseOf(from, to)
  const place = { Offset: from * TICKS_A_WORD, Duration: (to - from) * TICKS_A_WORD }
  if (text === '') return { RecognitionStatus: 'NoMatch', ...place }
  const best = [{ Confidence: 0.9, Lexical: text.toLowerCase(), ITN: text, MaskedITN: text, Display: text }]
  return {
    RecognitionStatus: 'Success',
    ...place,
    DisplayText: text,
    ...(format === 'detailed' ? { NBest: best } : {}),
  }
}

/** Number of words in a WAV file. */
const wordsInWav = (wav: Buffer) => Math.min(words.length, Math.floor((4 * (wav.length - 44)) / wav.readUInt32LE(28)))

const routes: Routes = {
  isAllowed({ headers, url }: Asked) {
    // If a WebSocket cannot carry headers, Azure's own client puts them in the query.
    const name = 'Ocp-Apim-Subscription-Key'
    return (headers[name.toLowerCase()] ?? new URL(url, 'http://x').searchParams.get(name)) === KEY
  },

  async http({ method, url, headers, body }, response, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    if (method !== 'POST' || !isRecognition(pathname)) return false
    const fault = hooks.nextFault()
    const wav = Buffer.from(body, 'latin1')
    const isValid = searchParams.get('language') && headers['content-type']?.startsWith('audio/wav')
    const status = statusOfFault(fault) ?? (isValid && wav.toString('latin1', 0, 4) === 'RIFF' ? 200 : 400)
    if (fault === 'silent') return true
    if (fault === 'reset-at-once') return response.destroy() !== null
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? phrase(0, wordsInWav(wav), searchParams.get('format')) : {}))
    return true
  },

  socket({ url }, socket, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    if (!isRecognition(pathname)) return socket.close(1008, 'no such path')
    const fault = hooks.nextFault()
    let requestId = ''
    let bytesPerSecond = 0
    let bytes = 0
    let said = 0
    let shown = 0
    const send = (path: string, value: unknown) => {
      const text = `X-RequestId:${requestId}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${path}\r\n\r\n${JSON.stringify(value)}`
      hooks.frames.push({ from: 'server', text })
      socket.send(text)
    }
    const heardWords = () => Math.min(words.length, Math.floor((4 * bytes) / bytesPerSecond))
    const sendPhrase = (to: number) => {
      send('speech.phrase', phrase(said, to, searchParams.get('format')))
      said = to
    }

    function hear(piece: Buffer) {
      if (bytesPerSecond === 0) {
        if (piece.toString('latin1', 0, 4) !== 'RIFF') return socket.close(1007, 'the first audio has no header')
        bytesPerSecond = piece.readUInt32LE(28)
        send('turn.start', { context: { serviceTag: 'tag' } })
        return send('speech.startDetected', { Offset: 0 })
      }
      bytes += piece.length
      const now = heardWords()
      if (fault === 'reset' && now >= 2) return socket.terminate()
      if (fault === 'drip') return
      while (now - said >= WORDS_A_PHRASE) sendPhrase(said + WORDS_A_PHRASE)
      if (now > said && now > shown)
        send('speech.hypothesis', { Text: words.slice(said, now).join(' '), Offset: 0, Duration: 0 })
      shown = now
    }

    async function end(): Promise<void> {
      if (fault === 'stall') return
      for (const to of fault === 'drip' ? [4, 8] : []) {
        if (to < heardWords()) sendPhrase(to)
        await delay(60)
      }
      if (fault === 'empty') send('speech.phrase', { RecognitionStatus: 'TooManyRequests', Offset: 0, Duration: 0 })
      sendPhrase(heardWords())
      send('speech.endDetected', { Offset: 0 })
      send('turn.end', {})
    }

    if (fault === 'wrong') socket.send('<html>A page of some proxy</html>')
    if (fault === 'mislabelled') socket.send('x'.repeat(HUGE))
    let hasConfig = false
    socket.on('message', (data: Buffer, isBinary) => {
      if (fault === 'silent') return
      const head = isBinary
        ? data.toString('latin1', 2, 2 + data.readUInt16BE(0))
        : (data.toString().split('\r\n\r\n')[0] ?? '')
      const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
      const path = field('Path').toLowerCase()
      requestId = field('X-RequestId')
      if (!/^[0-9A-Fa-f]{32}$/.test(requestId) || field('X-Timestamp') === '') return socket.close(1007, 'headers')
      if (path === 'speech.config') hasConfig = true
      if (path !== 'audio' || !isBinary) return
      if (!hasConfig) return socket.close(1007, 'no speech.config')
      const piece = data.subarray(2 + data.readUInt16BE(0))
      if (piece.length > 0) hear(piece)
      else void end()
    })
  },
}

export const startAzureStt = () => startVendor(routes)
