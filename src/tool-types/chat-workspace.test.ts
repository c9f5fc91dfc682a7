import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { LogLevel, WebClient } from '@slack/web-api'
import { IncomingWebhook } from '@slack/webhook'
import { aRun, aTool, loopbackTools, runTool } from '../../test/tool-runs.ts'
import { startSlack, TOKEN, WEBHOOK } from '../../test/vendors/slack.ts'
import { openWebServer } from '../../test/web-server.ts'
import { chatWorkspace, fitMessage } from './chat-workspace.ts'
import type { ToolRecord } from './ports.ts'

async function open(t: TestContext) {
  const slack = await startSlack()
  t.after(() => slack.stop())
  const kind = chatWorkspace({ ...loopbackTools(t), slackUrl: `${slack.url}/api` })
  const say = (tool: Partial<ToolRecord>, text: unknown) =>
    runTool(kind, aTool({ type: 'chat_workspace', ...tool }), aRun({ text }))
  return { slack, kind, say }
}
const byToken = { authorization: { type: 'bearer', token: TOKEN }, config: { channel: '#support' } }

test("the fake server works with Slack's own clients", async (t) => {
  const { slack } = await open(t)
  const options = { slackApiUrl: `${slack.url}/api/`, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR }
  const client = new WebClient(TOKEN, options)
  assert.equal((await client.auth.test()).ok, true)
  const sent = await client.chat.postMessage({ channel: '#support', text: 'Olá <&> 😀' })
  assert.deepEqual([sent.ok, sent.channel, sent.message?.text], [true, 'C0SUPPORT', 'Olá <&> 😀'])
  await assert.rejects(client.chat.postMessage({ channel: '#none', text: 'x' }), /channel_not_found/)
  await assert.rejects(new WebClient('xoxb-wrong', options).auth.test(), /invalid_auth/)
  slack.limits.refusals = 1
  await assert.rejects(
    new WebClient(TOKEN, { ...options, rejectRateLimitedCalls: true }).auth.test(),
    (error: { retryAfter?: number }) => error.retryAfter === 1,
  )
  const answer = await new IncomingWebhook(`${slack.url}${WEBHOOK}`).send({ text: 'by webhook', channel: '#support' })
  assert.equal(answer.text, 'ok')
  await assert.rejects(new IncomingWebhook(`${slack.url}/services/none`).send('x'), /404/)
  assert.deepEqual(
    slack.posted.map(({ text }) => text),
    ['Olá <&> 😀', 'by webhook'],
  )
})

test('a message is sent by webhook, to its default channel or another', async (t) => {
  const { slack, say } = await open(t)
  const requestUrl = `${slack.url}${WEBHOOK}`
  assert.deepEqual(await say({ requestUrl }, ' Novo pedido: ação 😀 '), { ok: true, text: 'The message was sent.' })
  await say({ requestUrl, config: { channel: 'support' } }, 'again')
  assert.deepEqual(slack.posted, [
    { channel: 'C0SUPPORT', text: 'Novo pedido: ação 😀' },
    { channel: 'C0SUPPORT', text: 'again' },
  ])
  const wrong = await say({ requestUrl, config: { channel: 'none' } }, 'x')
  assert.deepEqual(wrong, { ok: false, error: 'The server answered with status 404: channel_not_found' })
})

test('a message is sent by token, and a refusal with status 200 is a failure', async (t) => {
  const { slack, say } = await open(t)
  assert.ok((await say(byToken, 'hello')).ok)
  assert.deepEqual(slack.posted, [{ channel: 'C0SUPPORT', text: 'hello' }])
  const refused = await say({ ...byToken, config: { channel: '#none' } }, 'x')
  assert.deepEqual(refused, { ok: false, error: 'The message was refused: channel_not_found' })
  const unknown = await say({ ...byToken, authorization: { type: 'bearer', token: 'xoxb-planted' } }, 'x')
  assert.deepEqual(unknown, { ok: false, error: 'The message was refused: invalid_auth' })
})

test('if Slack asks for a later retry the message is sent again and arrives once', async (t) => {
  const { slack, say } = await open(t)
  Object.assign(slack.limits, { refusals: 1, retryAfterSeconds: 0 })
  assert.ok((await say(byToken, 'hello')).ok)
  assert.equal(slack.posted.length, 1)
  Object.assign(slack.limits, { refusals: 5, retryAfterSeconds: 3600 })
  const outcome = await say(byToken, 'hello')
  assert.ok(!outcome.ok && !outcome.isDoubtful)
  assert.match(outcome.error, /429.*ratelimited/)
})

test('a message without a response is not sent again and is in doubt', async (t) => {
  const { say } = await open(t)
  const server = await openWebServer(t, (_asked, response) => response.destroy())
  const outcome = await say({ requestUrl: server.url }, 'x')
  assert.ok(!outcome.ok && outcome.isDoubtful)
  assert.equal(server.asked.length, 1)
})

test('mentions are disabled unless the owner allows them', async (t) => {
  const { slack, say } = await open(t)
  const text = '<!channel> <@U123> <!subteam^S1> <http://evil.test|bank> @here @channel, (@all) a@b.com R&D'
  await say(byToken, text)
  const sent = slack.posted[0]?.text ?? ''
  assert.doesNotMatch(sent, /[<>]|@here|@channel|@all/)
  assert.match(sent, /^&lt;!channel&gt; &lt;@\u200bU123&gt;/)
  assert.match(sent, /a@b\.com R&amp;D$/)
  await say({ ...byToken, config: { channel: '#support', allowMentions: true } }, text)
  assert.equal(slack.posted[1]?.text, text)
})

test('a long message is cut, and an empty one is not sent', async (t) => {
  const { slack, say } = await open(t)
  assert.equal(fitMessage('x'.repeat(10_000), {}).length, 4000)
  for (const text of ['', '  ', undefined, 5])
    assert.deepEqual(await say(byToken, text), { ok: false, error: 'Missing: text' })
  assert.deepEqual(slack.posted, [])
})

test('without a URL and a token the tool offers nothing', async (t) => {
  const { kind } = await open(t)
  const wrong: Partial<ToolRecord>[] = [
    {},
    { authorization: byToken.authorization },
    { config: { channel: '#x' } },
    { requestUrl: 'https://x.test/{text}' },
  ]
  for (const fields of wrong) {
    assert.ok(kind.problem?.(aTool(fields)))
    assert.deepEqual(kind.functions(aTool(fields)), [])
  }
})
