// The web call service: call tokens, running calls, and the WebSocket and WebRTC routes for browsers.
import type { AgentStore } from '../../api/agents/store.ts'
import { outsideWebCallRoutes, SOCKET_PATH, WEBRTC_PATH } from '../../api/web-calls/outside-routes.ts'
import { webCallRoutes } from '../../api/web-calls/routes.ts'
import { spentTokens } from '../../api/web-calls/spent-tokens.ts'
import { addressGuard } from '../../base/cidr.ts'
import { nowMs, toIso } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import { countFault } from '../../base/faults.ts'
import { newId } from '../../base/ids.ts'
import type { StillGood } from '../../http/stream-revocation.ts'
import { estimateMaxCalls } from '../../phone/admission.ts'
import { callCapacity } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'
import type { Announce, Converse } from '../../phone/ports.ts'
import type { RecordingFolder } from '../../rtp/call-recording.ts'
import { audioClock } from '../../webcall/audio-clock.ts'
import { callTokens, type WebCallGrant } from '../../webcall/call-token.ts'
import { closeCode, RESUME_SUBPROTOCOL, SUBPROTOCOL } from '../../webcall/protocol.ts'
import { withTurnCredentials } from '../../webcall/turn-credentials.ts'
import { webCalls } from '../../webcall/web-calls.ts'
import { webrtcTransport } from '../../webcall/webrtc-transport.ts'
import { websocketTransport } from '../../webcall/websocket-transport.ts'
import type { ServiceContext } from '../service.ts'
import type { CallStorage } from './call-storage.ts'
import { agentInCalls } from './phone-repository.ts'

export type WebCallParts = {
  agents: AgentStore
  storage: Pick<CallStorage, 'course' | 'book'>
  /** Which of these keys and sessions, by id, are still valid. */
  stillGood: StillGood
  /** Null if the phone is off. */
  phone: Phone | null
  converse: Converse
  announce: Announce
  recordings: RecordingFolder
  lostAfterMs?: number | undefined
  holdMs?: number | undefined
}

const TOKEN_LIFE_SECONDS = 60

export function webCallService(context: ServiceContext, parts: WebCallParts) {
  const { config, secrets, limiter, db, database, log } = context
  const { agents, stillGood, phone } = parts
  const { course, book } = parts.storage
  const { maxCalls, maxCallsPerUser, maxCallMs, rtpPorts, host, publicAddress } = config.phone
  /** Shared with the phone: limits count all calls, and hang-up is the same on every channel. */
  const live = phone?.live ?? callCapacity({ maxCalls: maxCalls ?? estimateMaxCalls(), maxCallsPerUser })
  const tokens = callTokens(secrets)
  const addresses = addressGuard(config.allowedNetworks)
  const onFault = (err: unknown) => {
    countFault('webrtc')
    log.error({ err }, 'WebRTC connection failed; its call ends')
  }

  const spent = spentTokens(db)

  async function begin({ callId, userId, agentId, variables, metadata }: WebCallGrant): Promise<boolean> {
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

  const running = webCalls({
    calls: book,
    isKeyValid: async ({ keyId }) => typeof keyId === 'string' && (await stillGood([keyId])).has(keyId),
    isUsed: ({ callId }) => spent.isSpent(callId),
    begin,
    tokens,
    agent: (userId, agentId) => agentInCalls(agents, userId, agentId),
    live,
    overload: () => phone?.overload(),
    converse: parts.converse,
    announce: parts.announce,
    clock: audioClock(),
    recordings: parts.recordings,
    maxCallMs,
    ...(parts.lostAfterMs ? { lostAfterMs: parts.lostAfterMs } : {}),
    log,
  })

  /** TURN credentials are valid as long as a call may last: ICE may restart at any time. */
  const iceFor = (username: string, startMs: number) =>
    withTurnCredentials(config.iceServers, config.turnSecret, startMs + maxCallMs, username)

  const routes = webCallRoutes({
    async order(userId, keyId, { agentId, variables, metadata, expiresInSeconds }) {
      running.checkOpen()
      const { isActive } = await agents.get(userId, agentId)
      if (!isActive) throw new AppError('conflict', 'This agent is not active')
      const order = {
        callId: newId('cal'),
        keyId,
        userId,
        agentId,
        variables: variables ?? null,
        metadata: metadata ?? null,
      }
      const { token, expiresMs } = tokens.issue(order, (expiresInSeconds ?? TOKEN_LIFE_SECONDS) * 1000)
      const paths = { socketPath: SOCKET_PATH, webrtcPath: WEBRTC_PATH }
      const iceServers = iceFor(order.callId, expiresMs).map((server) => ({ ...server, urls: [server.urls].flat() }))
      return { token, expiresAt: toIso(expiresMs), agentId, ...paths, iceServers }
    },
  })

  const publicRoutes = outsideWebCallRoutes({
    limiter,
    subprotocol: SUBPROTOCOL,
    resumeProtocol: RESUME_SUBPROTOCOL,
    closeCode,
    openSocket: async (token, socket) =>
      void (await running.open(token, () => websocketTransport(socket, parts.holdMs))),
    takeUp: running.resume,
    restart: running.restartIce,
    async answerOffer(token, sdp, peerAddress) {
      const ice = { iceServers: iceFor('server', nowMs()), ports: rtpPorts, host, publicAddress }
      const guard = { peerAddress, mayReach: addresses.mayReach }
      return (await running.open(token, () => webrtcTransport(sdp, { ...ice, guard, onFault }))).answer
    },
    translate: database.translate,
    failed: (err) => log.error({ err }, 'failed to open web call'),
  })

  return {
    live,
    routes: [routes],
    publicRoutes: [publicRoutes],
    drain: running.drain,
    stop: running.close,
    [Symbol.asyncDispose]: running.close,
  }
}
