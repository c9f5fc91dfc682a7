// The composition root: the list of services, in the order in which they need each other.
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { App, TestOverrides } from './app-types.ts'
import { waitAtMost } from './base/concurrency/abort.ts'
import type { Log } from './base/process/log.ts'
import type { Config } from './config/config.ts'
import { csvHead, csvLines } from './csv-xlsx/csv.ts'
import { spreadsheetFiles } from './csv-xlsx/sheet-files.ts'
import { auditor } from './db/audit.ts'
import { idempotencyStore, RENEW_MS } from './db/idempotency.ts'
import { openNumberHash } from './db/number-hash.ts'
import { dtmfEvents } from './features/agents/dtmf-events.ts'
import { agentRecordService } from './features/agents/record-service.ts'
import { agentService } from './features/agents/service.ts'
import { sessionParts as session } from './features/agents/session-parts.ts'
import { answerHookService } from './features/answer-hooks/service.ts'
import { auditService } from './features/audit/service.ts'
import { authService } from './features/auth/service.ts'
import { callbackService } from './features/callbacks/service.ts'
import { callingRulesService } from './features/calling-rules/service.ts'
import { allNodesSupervisor } from './features/calls/all-nodes-supervisor.ts'
import { callStorage } from './features/calls/call-storage.ts'
import { shuttingDown } from './features/calls/dial-queue.ts'
import { phoneService } from './features/calls/phone-service.ts'
import { callService } from './features/calls/service.ts'
import { campaignCalls } from './features/campaigns/campaign-call.ts'
import { campaignService } from './features/campaigns/service.ts'
import { sendAndReply } from './features/conversations/reply.ts'
import { conversationService } from './features/conversations/service.ts'
import { deviceService } from './features/devices/service.ts'
import { eventService } from './features/events/service.ts'
import { keyService } from './features/keys/service.ts'
import { knowledgeService } from './features/knowledge/service.ts'
import { openContext } from './features/nodes/service.ts'
import { numberService } from './features/numbers/service.ts'
import { organizationService } from './features/organizations/service.ts'
import { overviewService } from './features/overview/service.ts'
import { providerService } from './features/providers/service.ts'
import { recordingService } from './features/recordings/service.ts'
import { openObjectStore } from './features/recordings/stored-recordings.ts'
import { rehearsalService } from './features/rehearsals/service.ts'
import { jobRunner, type ServiceContext, type ServiceList, serviceList } from './features/service.ts'
import { settingsService } from './features/settings/service.ts'
import { spreadsheetRoutes } from './features/spreadsheets/routes.ts'
import { openStores } from './features/stores.ts'
import { suppressionService } from './features/suppressions/service.ts'
import { toolRecordService } from './features/tools/record-service.ts'
import { toolService } from './features/tools/service.ts'
import { trunkService } from './features/trunks/service.ts'
import { usageService } from './features/usage/service.ts'
import { userService } from './features/users/service.ts'
import { speechService } from './features/voices/service.ts'
import { webCallService } from './features/web-calls/service.ts'
import { webhookService } from './features/webhooks/service.ts'
import { widgetService } from './features/widgets/service.ts'
import { openPage } from './http/page.ts'
import { createServer, type ServerParts } from './http/server.ts'
import { type DialPolicy, dialPolicy } from './phone/dial-policy.ts'
import { version } from './version.ts'

const HOUR_MS = 3_600_000
const webFolder = join(import.meta.dirname, '../web/dist')

export async function buildApp(config: Config, log: Log, overrides: TestOverrides = {}): Promise<App> {
  await using stack = new AsyncDisposableStack() // a start that fails half way leaves nothing open
  const context = await openContext(config, log, stack)
  const app = await assemble(context, overrides, stack)
  const open = stack.move()
  return { ...app, close: () => open.disposeAsync() }
}

/** Builds each service onto the stack; closing runs in reverse. */
async function assemble(
  context: ServiceContext,
  overrides: TestOverrides,
  stack: AsyncDisposableStack,
): Promise<Omit<App, 'close'>> {
  const { config, db, secrets, log } = context
  const { ringMs, pingMs, timers, lostAfterMs, holdMs } = overrides
  const services = serviceList(stack)
  const policy = dialPolicy(config.calls.deniedPrefixes)
  const foundation = await openFoundation(context, services, overrides)
  const { stores, auth, keys, storage, usage, speech, providers, eventOf } = foundation
  const { agents } = stores
  const { forUser: llmsOf, checkAgent } = providers
  const shared = { stores, storage, checkAgent, dialPolicy: policy }
  const jobs = stack.use(jobRunner(log)) // stopped after the services below, which abort their long jobs

  const parts = await openAgents(context, services, foundation, { policy, overrides })
  const { recordings, devices, tools, supervisor, agent, call, outreach } = parts
  const { phone, slots, examine } = services.add(
    await phoneService(context, {
      ...shared,
      devices,
      domain: devices.sip.domain,
      ...call,
      onMessage: overrides.onMessage ?? devices.onMessage,
      ringMs,
      pingMs,
      timers,
    }),
  )
  const refreshPhone = () => phone?.refresh()
  services.add(trunkService({ trunks: stores.trunks, links: stores.links, examine }, refreshPhone))
  devices.connect({ phone, answererOf: agent.answererOf })
  const { rightsNow } = auth
  const { agentInCalls, widgets, widgetSessions: sessions } = stores
  const webCall = { agents, agentInCalls, widgets, sessions, storage, rightsNow, phone, slots, ...call, checkAgent }
  const web = services.add(webCallService(context, { ...webCall, lostAfterMs, holdMs }))
  services.add(widgetService(context, { stores, ...agent, sendAndReply, issueForVisitor: web.issueForVisitor }))
  const { live } = web
  context.nodes.countCallsBy(() => ({ calls: live.total, maxCalls: phone ? live.maxCalls : null }))
  const { spendCall, callBudget } = usage
  const calls = services.add(callService(context, { ...shared, recordings, phone, live, supervisor, spendCall }))
  const { endCallsOf, endCallsOfUser, queue } = calls
  services.add(agentRecordService({ agents, endCallsOf, checkProviders: checkAgent }))
  services.add(callbackService(stores.callbacks))
  const files = { ...spreadsheetFiles(), csvHead, csvLines }
  const sheets = { spreadsheets: stores.spreadsheets, files, note: auditor(db) }
  services.add({ routes: [spreadsheetRoutes(sheets)] })
  const campaigns = { ...shared, ...outreach, http: tools.guarded, phone, live, queue, callBudget }
  services.add(campaignService(context, campaigns))
  const { stopRehearsalsOf } = services.add(
    rehearsalService(context, {
      session,
      agents,
      tools: stores.tools,
      types: tools.types,
      calls: storage.calls,
      turnsOf: storage.turns.of,
      toolCalls: stores.toolCalls,
      openRecording: recordings.files.open,
      speech: speech.engines,
      slotsFor: speech.slotsFor,
      llmsOf,
      linksFor: providers.linksFor,
    }),
  )
  services.add(userService(context, { forgetUser: auth.forgetUser, refreshPhone, endCallsOfUser, stopRehearsalsOf }))
  const modelOf = providers.stateFor
  const { voice } = services.add(settingsService(context, { speech: speech.engines, ...devices, ...usage, modelOf }))
  services.add(overviewService(context, { voice, modelOf }))
  services.add(webhookService({ db, secrets, http: tools.guarded, log, times: overrides.events, eventOf }))

  return start(
    context,
    { services, auth, keys, speech, providers, recordings, calls, jobs, phone, live, overrides },
    stack,
  )
}

/** What every other service needs: stores, accounts, budgets, speech and models; and services that need nothing else. */
async function openFoundation(context: ServiceContext, services: ServiceList, overrides: TestOverrides) {
  const stores = openStores(context)
  services.add(numberService(stores.dids))
  const { eventOf } = services.add(eventService(context.db, overrides.events))
  const auth = services.add(authService(context, stores))
  services.add(organizationService(context, auth))
  services.add(auditService(context))
  const forgetSessions = auth.forgetSessionsOfKey
  const keys = services.add(keyService(context, { finder: stores.keys, forgetSessions }))
  const storage = services.add(callStorage(context))
  const usage = services.add(usageService(context))
  const { meter } = usage
  const { speech: routeParts, speechCache: cache, naturalVoices } = overrides
  const speech = services.add(speechService(context, { meter, overrides: routeParts, cache, naturalVoices }))
  const providers = services.add(await providerService(context, { ...stores, ...speech, meter }, overrides.providers))
  return { stores, auth, keys, storage, usage, speech, providers, eventOf }
}

type Foundation = Awaited<ReturnType<typeof openFoundation>>

/** The agent, what it uses during a call, and what a call needs of both. */
async function openAgents(
  context: ServiceContext,
  services: ServiceList,
  { stores, storage, usage, speech, providers }: Foundation,
  { policy, overrides }: { policy: DialPolicy; overrides: TestOverrides },
) {
  const { conversations } = stores
  const { spendText } = usage
  const { forUser: llmsOf, checkAgent } = providers
  const shared = { stores, storage, checkAgent, dialPolicy: policy }
  const store = await openObjectStore(context.config)
  const recordings = services.add(recordingService(context, { calls: storage.calls, store }))
  const knowledge = services.add(knowledgeService(context, { ...providers, llmsOf }))
  const devices = services.add(deviceService(context, { conversations, spendText, times: overrides.gateway }))
  const messages = { findPassages: knowledge.find, sendMessage: devices.sendText }
  const tools = services.add(toolService(context, { stores, dialPolicy: policy, spendText, ...messages }))
  const hookParts = { stores, storage, http: tools.guarded, dialPolicy: policy }
  const { beforeAnswer, guidanceOf } = services.add(answerHookService(context, hookParts))
  const supervisor = allNodesSupervisor(context, { dialPolicy: policy, calls: storage.calls })
  const outreach = await openOutreach(context, services)
  const { store: suppressions } = outreach.suppressions
  const { packOf } = outreach.callingRules
  const campaignOf = campaignCalls({ db: context.db, callbacks: stores.callbacks, suppressions, packOf })
  const inCall = { onReady: supervisor.onReady, guidanceOf, campaignOf }
  const agent = services.add(
    agentService(context, { ...shared, providers, speech, tools, testRuns: tools.testRuns, ...inCall }),
  )
  services.add(conversationService(context, { stores, storage, llmsOf, answererOf: agent.apiAnswererOf }))
  services.add(toolRecordService(context, { tools: stores.tools, test: agent.testTool, runs: tools.testRuns }))
  const converse = supervisor.supervise(overrides.converse ?? agent.voice.converse)
  const call = {
    converse: dtmfEvents(converse, storage.course.digit, context.log),
    announce: overrides.announce ?? agent.voice.announce,
    beforeAnswer,
    recordings: recordings.folder,
  }
  return { recordings, devices, tools, supervisor, agent, call, outreach }
}

/** What decides whether a number may be called. */
async function openOutreach(context: ServiceContext, services: ServiceList) {
  const hashNumber = await openNumberHash(context.db, context.secrets)
  const suppressions = services.add(suppressionService(context, hashNumber))
  const callingRules = services.add(callingRulesService(context, hashNumber))
  return { hashNumber, suppressions, callingRules, session }
}

type Built = {
  services: ServiceList
  auth: ReturnType<typeof authService>
  keys: ReturnType<typeof keyService>
  speech: ReturnType<typeof speechService>
  providers: Pick<Awaited<ReturnType<typeof providerService>>, 'metrics'>
  recordings: ReturnType<typeof recordingService>
  calls: Pick<ReturnType<typeof callService>, 'gauges' | 'metrics'>
  jobs: ReturnType<typeof jobRunner>
  phone: App['phone']
  live: { empty(): Promise<void> }
  overrides: TestOverrides
}

/** Opens the HTTP server over what was built, then starts services and jobs. */
async function start(context: ServiceContext, built: Built, stack: AsyncDisposableStack): Promise<Omit<App, 'close'>> {
  const { services, auth, keys, speech, providers, recordings, calls, jobs, phone, live, overrides } = built
  for (const service of overrides.services ?? []) services.add(service)
  const { config, database } = context
  const readiness = { isDraining: false }
  const http = await openHttp(context, services, {
    ...auth.authenticate(speech.tokens),
    page: config.http.web ? openPage(overrides.webFolder ?? webFolder, config.http.tls !== null) : null,
    ready: async () => {
      if (readiness.isDraining) throw shuttingDown()
      await database.ping()
      return recordings.state()
    },
    gauges: [...recordings.gauges, ...calls.gauges],
    metrics: [...providers.metrics, ...calls.metrics],
  })
  stack.defer(() => http.close())
  stack.defer(() => services.stop())

  const drain = () => {
    readiness.isDraining = true
    context.nodes.drain()
    services.drain()
  }
  stack.defer(drain)
  const firstKey = await keys.firstStart()
  await services.start()
  jobs.start(services.jobs())
  return {
    http,
    database,
    firstKey,
    phone,
    drain,
    restartRequested: context.restart.promise,
    setupCode: await auth.setupCode(),
    async listen() {
      const address = await http.listen({ host: config.http.host, port: config.http.port })
      context.listening.address = http.server.address()
      return address
    },
    async callsOver(graceMs) {
      await waitAtMost(graceMs, live.empty())
    },
  }
}

type HttpParts = Omit<ServerParts, 'log' | 'version' | 'limiter' | 'idempotency' | 'translate' | 'uploadFolder'>

/** The HTTP server with the routes of every service. */
async function openHttp(context: ServiceContext, services: ServiceList, parts: HttpParts): Promise<FastifyInstance> {
  const { config, db, database, limiter, log } = context
  const idempotency = idempotencyStore(db)
  services.add({
    jobs: [
      { name: 'renewal of idempotency keys', everyMs: RENEW_MS, task: idempotency.renew, isVital: true },
      { name: 'old idempotency keys', everyMs: HOUR_MS, task: idempotency.removeOld },
    ],
  })
  const uploadFolder = join(config.dataDir, 'uploads')
  const server = { ...parts, log, version, limiter, idempotency, uploadFolder, translate: database.translate }
  return createServer(config.http, server, services.routes(), services.publicRoutes())
}
