// Web calls joined with the rest: tokens, the calls that run in this process, their rows, and the routes by which browsers come.
import type { AgentStore } from '../../api/agents/store.ts'
import type { CallLifecycle } from '../../api/calls/lifecycle.ts'
import { outsideWebCallRoutes, SOCKET_PATH, WEBRTC_PATH } from '../../api/web-calls/outside-routes.ts'
import { webCallRoutes } from '../../api/web-calls/routes.ts'
import { spentTokens } from '../../api/web-calls/spent-tokens.ts'
import { nowMs, toIso } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { countFault } from '../../base/faults.ts'
import { newId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import { addressGuard } from '../../base/networks.ts'
import type { KeyRing } from '../../base/secrets.ts'
import type { Config } from '../../config/config.ts'
import type { Db } from '../../db/database.ts'
import type { RateLimiter } from '../../http/rate-limit.ts'
import type { StillGood } from '../../http/stream-revocation.ts'
import { probeCalls } from '../../phone/admission.ts'
import { callCapacity } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'
import type { Announce, CallRepository, Converse } from '../../phone/ports.ts'
import type { RecordingFolder } from '../../rtp/call-recording.ts'
import { lineClock } from '../../webcall/audio-clock.ts'
import { orderTokens, type WebCallOrder } from '../../webcall/call-token.ts'
import { closeCode, RESUME, SUBPROTOCOL } from '../../webcall/protocol.ts'
import { withLogins } from '../../webcall/turn-credentials.ts'
import { webCalls } from '../../webcall/web-calls.ts'
import { answerPeer } from '../../webcall/webrtc-transport.ts'
import { socketEnd } from '../../webcall/websocket-transport.ts'
import { agentInCalls } from './phone-repository.ts'

export type WebCallParts = {
  config: Config
  agents: AgentStore
  course: CallLifecycle
  /** Its writes survive an absence of the database. */
  book: CallRepository
  secrets: KeyRing
  limiter: RateLimiter
  db: Db
  /** Which of these keys and sessions, by id, are good. */
  stillGood: StillGood
  /** Null when it is switched off. */
  phone: Phone | null
  converse: Converse
  announce: Announce
  recordings: RecordingFolder
  /** What an error of the database means to a caller. */
  translate: (error: unknown) => AppError | undefined
  log: Log
  lostAfterMs?: number
  holdMs?: number
}

const LIFE_SECONDS = 60

export function openWebCalls(parts: WebCallParts) {
  const { config, agents, course, secrets, limiter, db, stillGood, phone, log } = parts
  const { maxCalls, maxCallsPerUser, maxCallMs, rtpPorts, host, publicAddress } = config.phone
  /** The same places as the telephone's: a limit is for all calls, and who hangs one up need not know its kind. */
  const live = phone?.live ?? callCapacity({ maxCalls: maxCalls ?? probeCalls(), maxCallsPerUser })
  const tokens = orderTokens(secrets)
  const addresses = addressGuard(config.allowedNetworks)
  const onFault = (err: unknown) => {
    countFault('webrtc')
    log.error({ err }, 'a WebRTC connection failed on our side; its call ends')
  }

  const spent = spentTokens(db)

  async function begin({ callId, userId, agentId, variables, metadata }: WebCallOrder): Promise<boolean> {
    const web = { trunkId: null, deviceId: null, fromNumber: null, toNumber: 'web', channel: 'web' } as const
    if (!(await spent.spend(callId))) return false
    try {
      await course.begin({ id: callId, userId, agentId, ...web, variables, metadata })
      return true
    } catch (error) {
      await spent.giveBack(callId)
      throw error
    }
  }

  const room = webCalls({
    book: parts.book,
    isOrderedStill: async ({ keyId }) => typeof keyId === 'string' && (await stillGood([keyId])).has(keyId),
    isUsed: ({ callId }) => spent.isSpent(callId),
    begin,
    tokens,
    agent: (userId, agentId) => agentInCalls(agents, userId, agentId),
    live,
    busy: () => phone?.busy(),
    converse: parts.converse,
    announce: parts.announce,
    clock: lineClock(),
    recordings: parts.recordings,
    maxCallMs,
    ...(parts.lostAfterMs ? { lostAfterMs: parts.lostAfterMs } : {}),
    log,
  })

  /** A call's password for TURN holds as long as the call may: it may need another way at any time. */
  const iceFor = (who: string, beganMs: number) =>
    withLogins(config.iceServers, config.turnSecret, beganMs + maxCallMs, who)

  const routes = webCallRoutes({
    async order(userId, keyId, { agentId, variables, metadata, expiresInSeconds }) {
      room.checkOpen()
      const { isActive } = await agents.get(userId, agentId)
      if (!isActive) throw new AppError('conflict', 'This agent is not active')
      const given = { variables: variables ?? null, metadata: metadata ?? null }
      const order = { callId: newId('cal'), keyId, userId, agentId, ...given }
      const { token, expiresMs } = tokens.issue(order, (expiresInSeconds ?? LIFE_SECONDS) * 1000)
      const paths = { socketPath: SOCKET_PATH, webrtcPath: WEBRTC_PATH }
      const iceServers = iceFor(order.callId, expiresMs).map((server) => ({ ...server, urls: [server.urls].flat() }))
      return { token, expiresAt: toIso(expiresMs), agentId, ...paths, iceServers }
    },
  })

  const outside = outsideWebCallRoutes({
    limiter,
    subprotocol: SUBPROTOCOL,
    resumeProtocol: RESUME,
    closeCode,
    openSocket: async (token, socket) => void (await room.open(token, () => socketEnd(socket, parts.holdMs))),
    takeUp: room.takeUp,
    restart: room.restart,
    async answerOffer(token, sdp, peerAddress) {
      const ice = { iceServers: iceFor('server', nowMs()), ports: rtpPorts, host, publicAddress }
      const guard = { peerAddress, mayReach: addresses.mayReach }
      return (await room.open(token, () => answerPeer(sdp, { ...ice, guard, onFault }))).answer
    },
    translate: parts.translate,
    failed: (err) => log.error({ err }, 'a web call could not be opened'),
  })

  return {
    live,
    routes,
    outside,
    drain: room.drain,
    close: (): Promise<void> => room.close(),
  }
}
