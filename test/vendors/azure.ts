// Azure Speech's public protocol: tokens, voices, SSML over REST, and the WebSocket of its own client.
import { randomUUID } from 'node:crypto'
import { KEY, type Routes, sendAudio, sendFrames, startVendor, toneOf } from './server.ts'

export const voices = [
  {
    Name: 'Microsoft Server Speech Text to Speech Voice (pt-BR, FranciscaNeural)',
    DisplayName: 'Francisca',
    LocalName: 'Francisca',
    ShortName: 'pt-BR-FranciscaNeural',
    Gender: 'Female',
    Locale: 'pt-BR',
    LocaleName: 'Portuguese (Brazil)',
    StyleList: ['calm'],
    SampleRateHertz: '48000',
    VoiceType: 'Neural',
    Status: 'GA',
    WordsPerMinute: '130',
  },
  {
    Name: 'Microsoft Server Speech Text to Speech Voice (en-US, GuyNeural)',
    DisplayName: 'Guy',
    LocalName: 'Guy',
    ShortName: 'en-US-GuyNeural',
    Gender: 'Male',
    Locale: 'en-US',
    LocaleName: 'English (United States)',
    SampleRateHertz: '24000',
    VoiceType: 'Neural',
    Status: 'GA',
    WordsPerMinute: '215',
  },
]

/** Tokens are JWTs. */
const TOKEN = `eyJhbGciOiJFUzI1NiJ9.${Buffer.from('{"aud":"urn:ms.speech"}').toString('base64url')}.c2lnbmVk`
const FORMAT = 'raw-24khz-16bit-mono-pcm'

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const unescaped = (xml: string) => xml.replace(/&(\w+);/g, (all, name) => entities[name] ?? all)

/** Text, voice and rate, or the reason for a refusal. Strict: refuses XML that is not well formed. */
export function readSsml(ssml: string): { text: string; voice: string; rate: number; language: string } | string {
  const speak = /^<speak\b([^<>]*)>([\s\S]*)<\/speak>$/.exec(ssml.trim())
  if (!speak) return 'SSML is not well formed'
  const [, attributes = '', inside = ''] = speak
  const language = /xml:lang=["']([^"']+)["']/.exec(attributes)?.[1]
  if (!/version=["']1\.0["']/.test(attributes) || !language) return 'speak needs version and xml:lang'
  const voice = /^<voice name=["']([^"'<>]+)["']>([\s\S]*)<\/voice>$/.exec(inside.trim())
  if (!voice) return 'SSML is not well formed'
  const [, name = '', said = ''] = voice
  const prosody = /^<prosody rate=["']([+-]\d+(?:\.\d+)?%)["']>([\s\S]*)<\/prosody>$/.exec(said)
  const body = prosody?.[2] ?? said
  if (/[<>]/.test(body) || /&(?!(amp|lt|gt|quot|apos);)/.test(body)) return 'SSML is not well formed'
  if (!voices.some((known) => known.ShortName === name || known.Name === name)) return `Unsupported voice ${name}.`
  return { text: unescaped(body), voice: name, rate: 1 + Number.parseFloat(prosody?.[1] ?? '0') / 100, language }
}

const routes: Routes = {
  isAllowed({ headers, url }) {
    // If a WebSocket cannot carry headers, Azure's own client puts them in the query; they are accepted only there.
    const query = url.includes('/websocket/') ? new URL(url, 'http://x').searchParams : new URLSearchParams()
    const given = (name: string) => headers[name.toLowerCase()] ?? query.get(name)
    return given('Ocp-Apim-Subscription-Key') === KEY || given('Authorization') === `Bearer ${TOKEN}`
  },

  async http({ method, url, headers, body }, response, hooks) {
    const { pathname } = new URL(url, 'http://x')
    const plain = (status: number, text: string) => {
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
      return true
    }
    if (method === 'POST' && pathname === '/sts/v1.0/issueToken')
      return headers['ocp-apim-subscription-key'] === KEY ? plain(200, TOKEN) : plain(401, '')
    if (method === 'GET' && pathname === '/cognitiveservices/voices/list') {
      response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(voices))
      return true
    }
    if (method !== 'POST' || pathname !== '/cognitiveservices/v1') return false
    if (headers['content-type'] !== 'application/ssml+xml') return plain(415, '')
    if (headers['x-microsoft-outputformat'] !== FORMAT) return plain(400, 'Unsupported output format')
    if (!headers['user-agent']) return plain(400, 'User-Agent is required')
    const ssml = readSsml(Buffer.from(body, 'latin1').toString('utf8'))
    if (typeof ssml === 'string') return plain(400, ssml)
    await sendAudio(response, spokenAt(ssml), hooks.nextFault(), 'audio/basic')
    return true
  },

  socket({ url }, socket, hooks) {
    if (!/^\/(tts\/)?cognitiveservices\/websocket\/v1/.test(url)) return socket.close(1008, 'no such path')
    let format = ''
    socket.on('message', (data) => {
      const [head = '', body = ''] = data.toString().split('\r\n\r\n')
      const field = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'im').exec(head)?.[1]?.trim() ?? ''
      const requestId = field('X-RequestId')
      const path = field('Path').toLowerCase()
      if (path === 'synthesis.context') format = JSON.parse(body).synthesis.audio.outputFormat
      if (path !== 'ssml') return
      const ssml = readSsml(body)
      if (typeof ssml === 'string') return socket.close(1007, ssml)
      if (format !== FORMAT) return socket.close(1007, 'Unsupported output format')
      const streamId = randomUUID().replaceAll('-', '').toUpperCase()
      const say = (name: string, value: unknown) =>
        socket.send(
          `X-RequestId:${requestId}\r\nContent-Type:application/json; charset=utf-8\r\nPath:${name}\r\n\r\n${JSON.stringify(value)}`,
        )
      say('turn.start', { context: { serviceTag: streamId } })
      say('response', { context: { serviceTag: streamId }, audio: { type: 'inline', streamId } })
      const audioHead = Buffer.from(
        `X-RequestId:${requestId}\r\nContent-Type:audio/x-wav\r\nX-StreamId:${streamId}\r\nPath:audio\r\n`,
      )
      const length = Buffer.alloc(2)
      length.writeUInt16BE(audioHead.length)
      const frame = (piece: Buffer) => Buffer.concat([length, audioHead, piece])
      void sendFrames(socket, spokenAt(ssml), hooks.nextFault(), frame, () => say('turn.end', {}), hooks)
    })
  },
}

/** A higher rate shortens the audio. */
function spokenAt({ text, rate }: { text: string; rate: number }): Int16Array {
  const tone = toneOf(text)
  return tone.subarray(0, Math.round(tone.length / rate))
}

export const startAzure = () => startVendor(routes)
