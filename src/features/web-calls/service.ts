// The web call service: call tokens, running calls, and the WebSocket and WebRTC routes for browsers.

import { appError } from '../../base/errors/errors.ts'
import { countFault } from '../../base/errors/faults.ts'
import { newId } from '../../base/ids.ts'
import { addressGuard } from '../../base/network/cidr.ts'
import { nowMs, toIso } from '../../base/time/clock.ts'
import type { RightsNow } from '../../http/stream-revocation.ts'
import { estimateMaxCalls } from '../../phone/admission.ts'
import { callCapacity, type Slots } from '../../phone/capacity.ts'
import type { Phone } from '../../phone/phone.ts'
import type { Announce, BeforeAnswer, Converse } from '../../phone/ports.ts'
import type { RecordingFolder } from '../../rtp/call-recording.ts'
import { callTokens, type WebCallGrant } from '../../webcall/call-token.ts'
import { closeCode, RESUME_SUBPROTOCOL, SUBPROTOCOL } from '../../webcall/protocol.ts'
import { withTurnCredentials } from '../../webcall/turn-credentials.ts'
import { webCalls } from '../../webcall/web-calls.ts'
import { openWebMedia } from '../../webcall/web-media.ts'
import { webrtcTransport } from '../../webcall/webrtc-transport.ts'
import { websocketTransport } from '../../webcall/websocket-transport.ts'
import { withDraft } from '../agents/draft-schema.ts'
import type { AgentPatch } from '../agents/schema.ts'
import type { AgentStore } from '../agents/store.ts'
import type { AgentInCalls, CallStorage } from '../calls/port.ts'
import type { CheckAgent } from '../providers/port.ts'
import type { ServiceContext } from '../service.ts'
import type { WidgetSessions } from '../widgets/session-store.ts'
import type { OwnedWidget, WidgetStore } from '../widgets/store.ts'
import { allNodesWebCalls } from './all-nodes-web-calls.ts'
import { callDrafts } from './draft-store.ts'
import { outsideWebCallRoutes, SOCKET_PATH, WEBRTC_PATH } from './outside-routes.ts'
import { webCallRoutes } from './routes.ts'
import type { WebCall } from './schema.ts'
import { spentTokens } from './spent-token-store.ts'
import { visitorCalls } from './visitor-calls.ts'

export type WebCallParts = {
  agents: AgentStore
  agentInCalls: AgentInCalls
  widgets: Pick<WidgetStore, 'published'>
  sessions: WidgetSessions
  storage: Pick<CallStorage, 'calls' | 'course' | 'book'>
  /** What the key or session that opened a call may do now. */
  rightsNow: RightsNow
  /** Null if the phone is off. */
  phone: Phone | null
  /** Where calls are counted; undefined means in memory. */
  slots: Slots | undefined
  converse: Converse
  announce: Announce
  /** Asks the agent's hook before a call is opened. */
  beforeAnswer: BeforeAnswer
  recordings: RecordingFolder
  checkAgent: CheckAgent
  lostAfterMs?: number | undefined
  holdMs?: number | undefined
}

const TOKEN_LIFE_SECONDS = 60

export function webCallService(context: ServiceContext, parts: WebCallParts) {
  const { config, secrets, limiter, db, database, log } = context
  const { agents, rightsNow, phone } = parts
  const { course, book } = parts.storage
  const { maxCalls, maxCallsPerUser, maxCallMs, rtpPorts, host, publicAddress } = config.phone
  /** Shared with the phone, so that limits cover all calls and hang-up works the same on every channel. */
  const { slots } = parts
  const live = phone?.live ?? callCapacity({ maxCalls: maxCalls ?? estimateMaxCalls(), maxCallsPerUser, slots })
  const tokens = callTokens(secrets)
  const addresses = addressGuard(config.allowedNetworks)
  const media = openWebMedia({ lostAfterMs: parts.lostAfterMs, log })
  const onFault = (problem: string) => {
    countFault('webrtc')
    log.error({ problem }, 'WebRTC connection failed; its call ends')
  }

  const spent = spentTokens(db)
  const visitors = visitorCalls(parts.widgets, parts.sessions)

  const drafts = callDrafts(db)

  /** From here on the draft is in memory, for as long as the call lasts. */
  async function begin(
    { callId, userId, variables, metadata, hasDraft }: WebCallGrant,
    agentId: string,
  ): Promise<void> {
    const web = { trunkId: null, deviceId: null, fromNumber: null, toNumber: 'web', channel: 'web' } as const
    await course.begin({ id: callId, userId, agentId, ...web, variables, metadata })
    if (hasDraft)
      await drafts.remove(userId, callId).catch((err) => log.warn({ err, callId }, 'failed to delete draft'))
  }

  const running = webCalls({
    calls: book,
    isKeyValid: async ({ keyId, userId, widget }) =>
      widget !== undefined ||
      (typeof keyId === 'string' && (await rightsNow([{ id: keyId, userId }]))[0]?.has('tests:write') === true),
    take: ({ callId }) => spent.spend(callId),
    enter: visitors.enter,
    async giveBack(grant) {
      await visitors.leave(grant)
      await spent.giveBack(grant.callId)
    },
    count: visitors.count,
    begin,
    tokens,
    async agent({ userId, agentId, callId, hasDraft }) {
      const draft = hasDraft ? await drafts.find(userId, callId) : undefined
      if (hasDraft && !draft) throw appError('draft_gone')
      return parts.agentInCalls({ userId, agentId, draft })
    },
    live,
    overload: () => phone?.overload() ?? media.overload(),
    converse: parts.converse,
    announce: parts.announce,
    beforeAnswer: parts.beforeAnswer,
    recordings: parts.recordings,
    maxCallMs,
    log,
  })

  const anyNode = allNodesWebCalls(context, { here: running, calls: parts.storage.calls })

  /** TURN credentials are valid for the maximum call duration, since ICE may restart at any time. */
  const iceFor = (username: string, startMs: number) =>
    withTurnCredentials(config.iceServers, config.turnSecret, startMs + maxCallMs, username)

  async function issue(
    order: Omit<WebCallGrant, 'callId'>,
    lifeSeconds = TOKEN_LIFE_SECONDS,
    draft?: AgentPatch,
  ): Promise<WebCall> {
    running.checkOpen()
    const { agentId } = order
    const saved = await agents.get(order.userId, agentId)
    if (draft) await parts.checkAgent(order.userId, draft, saved)
    const { isActive } = withDraft(saved, draft)
    if (!isActive) throw appError('agent_inactive')
    media.warm()
    const callId = newId('cal')
    const { token, expiresMs } = tokens.issue({ ...order, callId }, lifeSeconds * 1000)
    if (draft) await drafts.save(order.userId, callId, draft, toIso(expiresMs))
    const paths = { socketPath: SOCKET_PATH, webrtcPath: WEBRTC_PATH }
    const iceServers = iceFor(callId, expiresMs).map((server) => ({ ...server, urls: [server.urls].flat() }))
    return { token, expiresAt: toIso(expiresMs), agentId, ...paths, iceServers }
  }

  const routes = webCallRoutes({
    order: (userId, keyId, { agentId, variables, metadata, expiresInSeconds, draft }) => {
      const order = {
        keyId,
        userId,
        agentId,
        variables: variables ?? null,
        metadata: draft ? { ...metadata, isTest: true } : (metadata ?? null),
        ...(draft ? { hasDraft: true } : {}),
      }
      return issue(order, expiresInSeconds ?? TOKEN_LIFE_SECONDS, draft)
    },
  })

  const publicRoutes = outsideWebCallRoutes({
    limiter,
    subprotocol: SUBPROTOCOL,
    resumeProtocol: RESUME_SUBPROTOCOL,
    closeCode,
    openSocket: async (request, socket) =>
      void (await running.open(request, () => websocketTransport(media, socket, parts.holdMs))),
    takeUp: anyNode.resume,
    restart: anyNode.restartIce,
    async answerOffer(request, sdp, peerAddress) {
      const ice = { iceServers: iceFor('server', nowMs()), ports: rtpPorts, host, publicAddress }
      const guard = { peerAddress, mayReach: addresses.mayReach }
      return (await running.open(request, () => webrtcTransport(media, sdp, { ...ice, guard, onFault }))).answer
    },
    translate: database.translate,
    failed: (err) => log.error({ err }, 'failed to open web call'),
  })

  return {
    live,
    /** A token for one call by a widget's visitor, from this site only. */
    async issueForVisitor(
      widget: OwnedWidget,
      { origin, visitor }: { origin: string; visitor: string },
    ): Promise<WebCall> {
      await visitors.check(widget, visitor)
      const { id, userId, agentId } = widget
      const grant = { keyId: '', userId, agentId, variables: null, metadata: { widgetId: id, origin } }
      return issue({ ...grant, widget: { id, origin, visitor } })
    },
    routes: [routes],
    publicRoutes: [publicRoutes],
    jobs: [{ name: 'drafts of web calls', everyMs: 60_000, task: drafts.expire }],
    drain: running.drain,
    async stop() {
      anyNode.stop()
      await running.close()
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      await media.close()
    },
  }
}
