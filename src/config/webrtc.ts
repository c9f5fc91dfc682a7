// Settings of WebRTC: STUN and TURN servers.
import type { Config, IceServerConfig } from './config.ts'
import type { EnvReader } from './env-reader.ts'

export function readWebRtc(env: EnvReader): Pick<Config, 'iceServers' | 'turnSecret'> {
  const iceServers = parseIceServers(env.text('ICE_SERVERS'))
  if (iceServers === null)
    env.problems.push(
      'ICE_SERVERS must be a JSON list such as [{"urls":"turn:example.com","username":"a","credential":"b"}]',
    )
  const turnSecret = env.text('TURN_SECRET')
  if (turnSecret !== null && !iceServers?.some(needsTurnSecret))
    env.problems.push('TURN_SECRET needs a server with turn: and without a username in ICE_SERVERS')
  return { iceServers: iceServers ?? [], turnSecret }
}

const needsTurnSecret = ({ urls, username }: IceServerConfig) => username === undefined && /\bturns?:/.test(`${urls}`)

/** A list of RTCIceServer objects as in browsers; null if it is invalid. */
function parseIceServers(json: string | null): IceServerConfig[] | null {
  if (json === null) return []
  try {
    const servers: unknown = JSON.parse(json)
    return Array.isArray(servers) && servers.length <= 20 && servers.every(isIceServer) ? servers : null
  } catch {
    return null
  }
}

const isShortText = (value: unknown) => typeof value === 'string' && value.length <= 1000
const isIceUrl = (value: unknown) => isShortText(value) && /^(stuns?|turns?):[^\s]+$/.test(value as string)

function isIceServer(server: Record<string, unknown> | null): boolean {
  const { urls, username = '', credential = '', ...unknown } = server ?? {}
  const all = [urls].flat()
  return (
    all.length > 0 &&
    all.every(isIceUrl) &&
    isShortText(username) &&
    isShortText(credential) &&
    Object.keys(unknown).length === 0
  )
}
