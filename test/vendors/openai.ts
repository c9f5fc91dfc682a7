// OpenAI's public protocol for speech and transcription, and the voice list that compatible servers add.
import { KEY, type Routes, sendAudio, startVendor, statusOfFault, toneOf } from './server.ts'

export const voices = ['alloy', 'nova', 'pf_dora']
export const heard = 'Bom dia, eu queria marcar uma consulta.'

/** The parts of a multipart body; a file part is returned as its bytes. */
export function partsOf(body: string, contentType = ''): Record<string, string> {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1] ?? '\0'
  const parts: Record<string, string> = {}
  for (const part of body.split(`--${boundary}`)) {
    const [head = '', ...rest] = part.split('\r\n\r\n')
    const name = /name="([^"]+)"/.exec(head)?.[1]
    if (name) parts[name] = rest.join('\r\n\r\n').replace(/\r\n$/, '')
  }
  return parts
}

const routes = (isOpen: boolean): Routes => ({
  isAllowed: ({ headers }) => isOpen || headers.authorization === `Bearer ${KEY}`,

  async http({ method, url, headers, body }, response, hooks) {
    const json = (status: number, value: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      return true
    }
    const refuse = (status: number, message: string, param: string) =>
      json(status, { error: { message, type: 'invalid_request_error', param, code: null } })
    if (method === 'GET' && url === '/v1/audio/voices' && isOpen) return json(200, { voices })
    if (method === 'POST' && url === '/v1/audio/speech') {
      const asked = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as Record<string, unknown>
      if (typeof asked.model !== 'string') return refuse(400, 'you must provide a model parameter', 'model')
      if (asked.model === 'none') return refuse(400, 'The model does not exist', 'model')
      if (typeof asked.input !== 'string') return refuse(400, 'input is required', 'input')
      if (!voices.includes(String(asked.voice))) return refuse(400, `Invalid value for voice`, 'voice')
      if (asked.response_format !== 'pcm') return refuse(400, 'this server makes pcm only', 'response_format')
      const speed = Number(asked.speed ?? 1)
      if (!(speed >= 0.25 && speed <= 4)) return refuse(400, 'speed must be between 0.25 and 4', 'speed')
      const tone = toneOf(asked.input)
      await sendAudio(response, tone.subarray(0, Math.round(tone.length / speed)), hooks.nextFault(), 'audio/pcm')
      return true
    }
    if (method !== 'POST' || url !== '/v1/audio/transcriptions') return false
    const parts = partsOf(body, headers['content-type'])
    if (!parts.model) return refuse(400, 'you must provide a model parameter', 'model')
    if (!parts.file?.startsWith('RIFF')) return refuse(400, 'Audio file might be corrupted or unsupported', 'file')
    const fault = hooks.nextFault()
    const status = statusOfFault(fault)
    if (status !== null) return refuse(status, `status ${status} for ${KEY}`, '')
    if (fault === 'silent') return true
    if (fault === 'reset-at-once') return response.destroy() !== null
    if (fault === 'wrong') return json(200, { transcription: heard })
    if (fault === 'mislabelled') return response.end('<html>') !== null
    const text = JSON.stringify({ text: heard })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, 10))
    if (fault === 'stall') return true
    if (fault === 'reset') setTimeout(() => response.destroy(), 20)
    else if (fault === 'drip')
      for (const [i, letter] of [...text.slice(10)].entries()) setTimeout(() => response.write(letter), 10 * i)
    else response.end(text.slice(10))
    return true
  },
})

/** An open server requires no key, like self-hosted ones. */
export const startOpenAi = (isOpen = false) => startVendor(routes(isOpen))
