// The composition root: builds every part and hands each what it needs. Reads like the parts list, and is the only file that knows all.
import { join } from 'node:path'
import { agentRoutes } from './api/agents/routes.ts'
import { agentStore } from './api/agents/store.ts'
import { shuttingDown } from './api/calls/dial-queue.ts'
import { forgetNumber } from './api/calls/forget-number.ts'
import { liveCallRoutes } from './api/calls/live-routes.ts'
import { removal } from './api/calls/removal.ts'
import { removalRoutes } from './api/calls/removal-routes.ts'
import { callRoutes } from './api/calls/routes.ts'
import { toCall } from './api/calls/store.ts'
import { ANALYSIS_LEASE_MS, analysisQueue } from './api/conversations/analysis-queue.ts'
import { conversationRoutes } from './api/conversations/routes.ts'
import { conversationStore } from './api/conversations/store.ts'
import { toolCallRoutes } from './api/conversations/tool-call-routes.ts'
import { toolCallStore } from './api/conversations/tool-call-store.ts'
import { didRoutes } from './api/dids/routes.ts'
import { didStore } from './api/dids/store.ts'
import { keyFinder } from './api/keys/finder.ts'
import { keyRoutes } from './api/keys/routes.ts'
import { keyStore } from './api/keys/store.ts'
import { rehearsalRoutes } from './api/rehearsals/routes.ts'
import { rehearsalStore } from './api/rehearsals/store.ts'
import { spreadsheetRoutes } from './api/spreadsheets/routes.ts'
import { spreadsheetStore } from './api/spreadsheets/store.ts'
import { toolRoutes } from './api/tools/routes.ts'
import { toolStore } from './api/tools/store.ts'
import { toolUses } from './api/tools/uses.ts'
import { trunkLinks } from './api/trunks/links.ts'
import { trunkRoutes } from './api/trunks/routes.ts'
import { trunkStore } from './api/trunks/store.ts'
import { ttsRoutes } from './api/tts/routes.ts'
import type { App, TestOverrides } from './app-shape.ts'
import { readWav } from './audio/wav.ts'
import { waitAtMost } from './base/abort.ts'
import { dialPolicy } from './base/dial-policy.ts'
import { AppError } from './base/errors.ts'
import type { Log } from './base/log.ts'
import { masterKeys } from './base/master-key.ts'
import { keyRing } from './base/secrets.ts'
import { every } from './base/timer.ts'
import { tokenSigner } from './base/tokens.ts'
import type { Config } from './config/config.ts'
import { idempotencyStore, RENEW_MS } from './db/idempotency.ts'
import { checkSecrets } from './db/seals.ts'
import { knownAtOnce } from './http/after-writes.ts'
import { openPage } from './http/page.ts'
import { memoryRateLimiter } from './http/rate-limit.ts'
import { redisRateLimiter } from './http/redis-rate-limit.ts'
import { createServer } from './http/server.ts'
import { LOOK_MS } from './http/stream-revocation.ts'
import { openBrain } from './llm/open.ts'
import type { Examine } from './phone/diagnostics/doctor.ts'
import { startPhone } from './phone/phone.ts'
import { agentTools } from './services/agents/agent-tools.ts'
import { chatAgent } from './services/agents/chat-agent.ts'
import { dtmfEvents } from './services/agents/dtmf-events.ts'
import { callAnalysis } from './services/agents/post-call-analysis.ts'
import { voiceAgent } from './services/agents/voice-agent.ts'
import { firstStart } from './services/auth/bootstrap.ts'
import { openSignIn } from './services/auth/sign-in.ts'
import { callManager } from './services/calls/call-manager.ts'
import { callStorage } from './services/calls/call-storage.ts'
import { phoneRepository } from './services/calls/phone-repository.ts'
import { openRecordings } from './services/calls/recording-service.ts'
import { openWebCalls } from './services/calls/web-call-service.ts'
import { openGateway } from './services/devices/gateway.ts'
import { openKnowledge } from './services/knowledge/service.ts'
import { simulationService } from './services/simulation/service.ts'
import { openNodeData } from './services/status/node-data.ts'
import { platformRoutes } from './services/status/routes.ts'
import { callSupervisor } from './services/supervision/supervisor.ts'
import { openMetering } from './services/usage/metering.ts'
import { webhookService } from './services/webhooks/service.ts'
import { drawLadder } from './sip/ladder.ts'
import { speechForApi } from './speech/for-api.ts'
import { openSpeech } from './speech/open.ts'
import { csvHead, csvLines } from './tables/csv.ts'
import { sheetFiles } from './tables/sheet-files.ts'
import { mistakeIn } from './tools/config-errors.ts'
import { guardedHttp } from './tools/http/guarded-http.ts'
import { ownListeners, ownPlaces } from './tools/http/own-listeners.ts'
import { tracedHttp } from './tools/http/traced-http.ts'
import { toolKinds } from './tools/tool-types.ts'
import { version } from './version.ts'

/** What tools have begun is given so long to end when the service stops. */
const TOOLS_END_MS = 5000

const ANALYSES_AT_ONCE = 2
const webFolder = join(import.meta.dirname, '../web/dist')

export async function buildApp(config: Config, log: Log, edge: TestOverrides = {}): Promise<App> {
  await using stack = new AsyncDisposableStack() // a start that fails half way leaves nothing open
  const app = await assemble(config, log, edge, stack)
  const open = stack.move()
  return { ...app, close: () => open.disposeAsync() }
}

/** Everything that must be closed goes onto the stack as soon as it is open; closing runs in reverse. */
async function assemble(
  config: Config,
  log: Log,
  edge: TestOverrides,
  stack: AsyncDisposableStack,
): Promise<Omit<App, 'close'>> {
  const failed = (err: unknown) => log.warn({ err }, 'a background task failed; it will be tried again')
  const { database, nodeId } = await openNodeData(config, log, stack)
  const { db } = database
  const ring = masterKeys(config.masterKeys, config.dataDir)
  const secrets = keyRing(ring)
  await checkSecrets(db, secrets)

  const finder = keyFinder(db, database.shared)
  const limiter = config.redisUrl ? await redisRateLimiter(config.redisUrl, log) : memoryRateLimiter()
  stack.defer(() => limiter.close())
  stack.defer(() => finder.flushUses().catch(failed))
  const masterKey = ring[0] as string
  const signIn = openSignIn({ db, finder, secrets, limiter, masterKey, dataDir: config.dataDir, config: config.http })
  const keys = keyStore(db, signIn.finder)
  const agents = agentStore(db)
  const storage = callStorage(database, nodeId, log)
  const { calls, course, turns, writes } = storage
  stack.defer(() => writes.stop())
  const conversations = conversationStore(db)
  const analyses = analysisQueue(db, ANALYSIS_LEASE_MS, toCall)
  const tools = toolStore(db, secrets, mistakeIn)
  const toolCalls = toolCallStore(db)
  const dids = didStore(db)
  const trunks = trunkStore(db, secrets, config.phone.networks)
  const links = trunkLinks(db)
  const spreadsheets = spreadsheetStore(db)
  const idempotency = idempotencyStore(db)
  const recordings = openRecordings({ ...config, database, calls, nodeId, log })

  const speech = openSpeech(config.speech, log)
  stack.defer(() => speech.close())
  const metering = openMetering(db, config, speech)
  const { spendText, slotsFor, testRuns } = metering
  const brain = await openBrain(config.llm, log)
  stack.defer(() => brain.close())
  const analysis = callAnalysis({ agents, analyses, brain, log })
  const knowledge = openKnowledge({ db, endpoint: config.embeddings, llm: brain.backgroundLlm(null), log })
  stack.defer(() => knowledge.close())
  const jobs: ReturnType<typeof every>[] = [] // started last, stopped when nothing that they serve is left
  stack.defer(async () => {
    analysis.stop()
    knowledge.stop()
    recordings.stop()
    await Promise.all(jobs.map((job) => job.stop()))
  })
  const ttsTokens = tokenSigner(ring, 'tts')
  const apiSpeech = speechForApi({ slots: speech.slots, slotsFor, tokens: ttsTokens, publicUrl: config.http.publicUrl })

  const variablesOf = async (userId: string, callId: string) =>
    ((await calls.get(userId, callId)).variables ?? {}) as Record<string, string>
  const mayDial = dialPolicy(config.calls.deniedPrefixes)
  const own = ownListeners(ownPlaces(config, () => http.server.address()))
  const guarded = guardedHttp({ allowedNetworks: config.allowedNetworks, own })
  stack.defer(() => guarded.close())
  const toolHttp = tracedHttp(guarded)
  const kinds = toolKinds({
    http: toolHttp,
    findPassages: knowledge.find,
    sheets: spreadsheets,
    calls: {
      dialPolicy: mayDial,
      sms: config.sms,
      spendText,
      readSound: readWav,
      agentsOf: agents.existing,
      sendMessage: (text) => gateway.sendText(text),
    },
  })
  stack.defer(async () => {
    for (const kind of Object.values(kinds)) await kind.close?.()
  })
  const acting = agentTools({ agents, tools, toolCalls, kinds, http: toolHttp, testRuns, log })
  stack.defer(() => acting.settled(TOOLS_END_MS))
  const live = callSupervisor({ dialPolicy: mayDial, nodeId })
  const line = voiceAgent({
    agents,
    conversations,
    speech,
    slotsFor,
    llmFor: brain.llmFor,
    variablesOf,
    saveTurns: turns.save,
    write: writes.write,
    saveAnsweredBy: course.answeredBy,
    tools: acting,
    onReady: live.onReady,
    log,
  })
  const converse = dtmfEvents(live.supervise(edge.converse ?? line.converse), course.digit, log)
  const answererOf = chatAgent({ agents, conversations, toolCalls, tools: acting, brain, log })
  const gateway = openGateway({
    config,
    db,
    secrets,
    masterKey,
    limiter,
    conversations,
    answererOf,
    spendText,
    phone: () => phone,
    address: () => http.server.address(),
    log,
    ...(edge.gateway ? { times: edge.gateway } : {}),
  })
  const { devices, states } = gateway
  const { port: sipPort, ...phoneConfig } = config.phone
  const phone =
    sipPort === 0
      ? null
      : await startPhone(
          {
            ...phoneConfig,
            port: sipPort,
            domain: gateway.sip.domain,
            dialPolicy: mayDial,
            name: `Ramal/${version}`,
            secret: ring[0] as string,
          },
          {
            book: phoneRepository({ db, agents, dids, trunks, links, devices, states }),
            calls: storage.book,
            ...line,
            recordings: recordings.folder,
            onMessage: gateway.onMessage,
            isUnavailable: (err) => database.translate(err)?.kind === 'unavailable',
            ...edge,
            converse,
            log,
          },
        )
  stack.defer(() => phone?.close())
  if (phone && config.speech.embedded !== 'off')
    speech
      .warmEars()
      .catch((err) => log.warn({ err }, 'the ears could not be opened; an agent that is called cannot hear'))
  const web = openWebCalls({
    ...{ ...storage, config, db, agents, secrets, limiter, phone, ...line, ...edge, converse, log },
    ...{ stillGood: signIn.stillGood, recordings: recordings.folder },
  })
  const desk = callManager({ calls, phone, live: web.live, settings: config.calls, database, failed, log })
  stack.defer(() => desk.close())
  const { queue, hangUp, isDatabaseThere } = desk
  const examine: Examine = async (...asked) => {
    if (!phone) throw new AppError('unavailable', 'The telephone is switched off (SIP_PORT is 0)')
    return phone.examine(...asked)
  }
  /** Several do it side by side. */
  const lookBack = async () => {
    if (await isDatabaseThere()) await analysis.work()
  }
  const fileDocuments = async () => {
    if (await isDatabaseThere()) await knowledge.work()
  }

  const rehearsals = rehearsalStore(db)
  const rehearsing = simulationService({
    agents,
    tools,
    kinds,
    calls,
    turnsOf: turns.of,
    locateRecording: recordings.files.locate,
    rehearsals,
    speech,
    slotsFor,
    llmFor: brain.llmFor,
    log,
  })

  const happening = webhookService({ db, secrets, http: guarded, log, times: edge.events })

  let isDraining = false
  const http = await createServer(
    config.http,
    {
      log,
      version,
      findKey: finder.find,
      findByToken: signIn.findBy(ttsTokens),
      findSession: signIn.findSession,
      origins: signIn.origins,
      used: finder.recordUse,
      limiter,
      idempotency,
      open: signIn.open,
      page: config.http.web ? openPage(edge.webFolder ?? webFolder, config.http.tls !== null) : null,
      translate: database.translate,
      ready: async () => {
        if (isDraining) throw shuttingDown()
        await database.ping()
        return recordings.state()
      },
      gauges: recordings.gauges,
    },
    [
      keyRoutes(keys),
      agentRoutes({ agents, endCallsOf: desk.endCallsOf }),
      conversationRoutes({ conversations, analyses, answererOf }),
      didRoutes(dids),
      ...[trunkRoutes({ trunks, links, examine }), gateway.routes].map((each) =>
        knownAtOnce(each, () => phone?.refresh()),
      ),
      toolRoutes({ tools, uses: toolUses(db), test: acting.test, runs: testRuns }),
      spreadsheetRoutes({ spreadsheets, files: { ...sheetFiles(), csvHead, csvLines } }),
      knowledge.routes,
      toolCallRoutes({ toolCalls, conversation: conversations.get, call: calls.get }),
      callRoutes({
        calls,
        ladderOf: course.ladder,
        turnsOf: turns.of,
        drawLadder,
        queue,
        spendCall: metering.spendCall,
        recordings: recordings.files,
        dialPolicy: mayDial,
        hangUp,
      }),
      removalRoutes({ remove: removal(db, recordings.node), forget: forgetNumber(db, recordings.node) }),
      web.routes,
      liveCallRoutes({ calls, agents, live }),
      rehearsalRoutes({ rehearsals, rehearse: rehearsing.run, stop: rehearsing.stop }),
      ttsRoutes({ ...apiSpeech, ...edge.speech }),
      ...platformRoutes({ config, database, speech, driversFor: gateway.driversFor, budgetsOf: metering.budgetsOf }),
      ...happening.routes,
    ],
    [signIn.routes, gateway.outside, web.outside],
  )
  stack.defer(() => http.close())
  // Before the server: it waits for the streams and sockets that these hold.
  for (const part of [web, rehearsing, happening, gateway]) stack.defer(() => part.close())

  const firstKey = await firstStart(db, config.dataDir, config.bootstrapKey)
  gateway.start()

  await knowledge.begin()
  jobs.push(
    every(1000, fileDocuments, failed),
    every(1000, finder.flushUses, failed),
    every(LOOK_MS, signIn.open.look, failed),
    every(3000, desk.renewLeases, failed),
    every(2000, desk.closeOrphans, failed),
    every(5000, toolCalls.closeLeft, failed),
    ...[...gateway.rounds, ...happening.rounds, ...recordings.rounds].map(({ everyMs, task }) =>
      every(everyMs, task, failed),
    ),
    every(RENEW_MS, idempotency.renew, failed),
    every(3_600_000, idempotency.removeOld, failed),
    every(3_600_000, signIn.removeOld, failed),
    every(3_600_000, metering.removeOld, failed),
    ...Array.from({ length: ANALYSES_AT_ONCE }, () => every(1000, lookBack, failed)),
  )

  const drain = () => {
    isDraining = true
    queue.drain()
    phone?.drain()
    web.drain()
  }
  stack.defer(drain)
  return {
    http,
    database,
    firstKey,
    setupCode: await signIn.codeToShow(),
    phone,
    listen: () => http.listen({ host: config.http.host, port: config.http.port }),
    drain,
    async callsOver(graceMs) {
      await waitAtMost(graceMs, web.live.empty())
    },
  }
}
