// OpenAI's public protocol for realtime transcription: one word is "recognized" per quarter of a second.
import { setTimeout as delay } from 'node:timers/promises'
import { words } from './deepgram.ts'
import { type Fault, KEY, type Routes, startVendor } from './server.ts'

export const realtimeSentence = words.join(' ')

/** Bytes per second of audio. */
const formats: Record<string, number> = { 'audio/pcm': 48_000, 'audio/pcmu': 8_000, 'audio/pcma': 8_000 }
const HUGE = 17 * 1024 * 1024

type Session = {
  type?: string
  audio?: {
    input?: {
      format?: { type?: string; rate?: number }
      transcription?: { model?: string; prompt?: string }
      turn_detection?: null
    }
  }
}

/** The error event with which OpenAI would refuse this session, or null. */
function refusalOf(session: Session | undefined): { type: string; code: string; message: string } | null {
  const input = session?.audio?.input
  const model = input?.transcription?.model ?? ''
  const invalid = (message: string) => ({ type: 'invalid_request_error', code: 'invalid_value', message })
  if (session?.type !== 'transcription') return invalid('session.type')
  if (!formats[input?.format?.type ?? '']) return invalid('format')
  if (input?.format?.type === 'audio/pcm' && input.format.rate !== 24_000) return invalid('rate')
  if (input?.turn_detection !== null && model === 'gpt-realtime-whisper') return invalid('turn_detection')
  if (input?.transcription?.prompt && model === 'gpt-realtime-whisper') return invalid('prompt')
  if (model === 'none') return { type: 'invalid_request_error', code: 'model_not_found', message: `no ${KEY}` }
  if (model === 'limited') return { type: 'rate_limit_error', code: 'rate_limit_exceeded', message: 'slow down' }
  if (model === 'failing') return { type: 'server_error', code: 'server_error', message: 'sorry' }
  return null
}

const routes: Routes = {
  isAllowed: ({ headers }) => headers.authorization === `Bearer ${KEY}`,
  http: async () => false,

  socket({ url }, socket, hooks) {
    const { pathname, searchParams } = new URL(url, 'http://x')
    if (pathname !== '/v1/realtime' || searchParams.get('intent') !== 'transcription')
      return socket.close(1008, 'invalid_request')
    const fault: Fault | null = hooks.nextFault()
    let events = 0
    const send = (type: string, more: object = {}) => {
      const text = JSON.stringify({ type, event_id: `event_${events++}`, ...more })
      hooks.frames.push({ from: 'server', text })
      socket.send(text)
    }
    const item = { item_id: 'item_1', content_index: 0 }
    const prefix = 'conversation.item.input_audio_transcription'
    let bytesPerSecond = 0
    let bytes = 0
    let said = 0
    const heardWords = () => Math.min(words.length, Math.floor((4 * bytes) / bytesPerSecond))
    const sayNext = () => send(`${prefix}.delta`, { ...item, delta: `${said === 0 ? '' : ' '}${words[said++]}` })

    async function commit(): Promise<void> {
      if (bytes < bytesPerSecond / 10) {
        const error = { type: 'invalid_request_error', code: 'input_audio_buffer_commit_empty', message: 'too small' }
        return send('error', { error })
      }
      send('input_audio_buffer.committed', { item_id: item.item_id, previous_item_id: null })
      while (said < heardWords()) {
        sayNext()
        if (fault === 'drip') await delay(60)
      }
      if (fault === 'stall') return
      if (fault === 'empty') return send(`${prefix}.failed`, { ...item, error: { type: 'server_error', message: KEY } })
      const usage = { type: 'duration', seconds: Math.round(bytes / bytesPerSecond) }
      send(`${prefix}.completed`, { ...item, transcript: words.slice(0, said).join(' '), usage })
    }

    if (fault === 'wrong') socket.send('<html>A page of some proxy</html>')
    if (fault === 'mislabelled') socket.send('x'.repeat(HUGE))
    if (fault === 'silent') return
    send('session.created', { session: { type: 'transcription' } })
    socket.on('message', (data) => {
      const event = JSON.parse(data.toString()) as { type: string; session?: Session; audio?: string }
      if (event.type === 'session.update') {
        const error = refusalOf(event.session)
        if (error) return send('error', { error })
        bytesPerSecond = formats[event.session?.audio?.input?.format?.type ?? ''] ?? 0
        return send('session.updated', { session: event.session })
      }
      if (bytesPerSecond === 0) return
      if (event.type === 'input_audio_buffer.append') {
        bytes += Buffer.from(event.audio ?? '', 'base64').length
        if (fault === 'reset' && heardWords() >= 2) return socket.terminate()
        while (fault !== 'drip' && said < heardWords()) sayNext()
      } else if (event.type === 'input_audio_buffer.commit') void commit()
    })
  },
}

export const startOpenAiRealtime = () => startVendor(routes)
