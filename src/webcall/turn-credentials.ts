// Time-limited TURN credentials from a shared secret (coturn's use-auth-secret, draft-uberti-behave-turn-rest-00). Pure.
import { createHmac } from 'node:crypto'
import type { IceServer } from './webrtc-sdp.ts'

/** True for a TURN server without static credentials. */
const needsCredentials = ({ urls, username }: IceServer): boolean =>
  username === undefined && [urls].flat().some((url) => /^turns?:/i.test(url))

/** `who` appears only in the TURN server's log. */
export function withTurnCredentials(
  servers: readonly IceServer[],
  secret: string | null,
  untilMs: number,
  who: string,
): IceServer[] {
  if (secret === null) return [...servers]
  const username = `${Math.ceil(untilMs / 1000)}:${who}`
  const credential = createHmac('sha1', secret).update(username).digest('base64')
  return servers.map((server) => (needsCredentials(server) ? { ...server, username, credential } : server))
}
