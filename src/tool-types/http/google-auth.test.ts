import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { auth } from '@googleapis/calendar'
import { aRun, aTool, loopbackTools, runTool } from '../../../test/tool-runs.ts'
import { startGoogleCalendar } from '../../../test/vendors/google-calendar.ts'
import { account, client, TOKEN_HOST } from '../../../test/vendors/google-tokens.ts'
import { apiRequest } from '../api-request.ts'
import { authorizationProblem } from './authorization.ts'
import { scopedTo } from './google-auth.ts'

async function open(t: TestContext) {
  const google = await startGoogleCalendar()
  t.after(() => google.stop())
  const kind = apiRequest(loopbackTools(t))
  const ask = (authorization: { type: string } & Record<string, unknown>) =>
    runTool(
      kind,
      aTool({
        requestUrl: `${google.apiUrl}/calendars/primary/events`,
        authorization: { scope: 'a b', ...authorization },
      }),
      aRun(),
    )
  return { google, ask, tokenUrl: `${google.url}/token` }
}

test("the fake server issues tokens to Google's own client, by service account and by refresh token", async (t) => {
  const { google } = await open(t)
  const toStandIn = (url: string | URL | Request, init?: RequestInit) =>
    fetch(String(url).replace(TOKEN_HOST, google.url), init)
  const options = { transporterOptions: { fetchImplementation: toStandIn as typeof fetch } }
  const byKey = new auth.JWT({ email: account.clientEmail, key: account.privateKey, scopes: ['a', 'b'], ...options })
  assert.match((await byKey.authorize()).access_token ?? '', /^ya29\./)
  const byRefresh = new auth.OAuth2({ clientId: client.clientId, clientSecret: client.clientSecret, ...options })
  byRefresh.setCredentials({ refresh_token: client.refreshToken })
  assert.match((await byRefresh.getAccessToken()).token ?? '', /^ya29\./)
  byRefresh.setCredentials({ refresh_token: 'other' })
  await assert.rejects(byRefresh.getAccessToken(), /invalid_grant/)
  const wrongKey = new auth.JWT({ email: 'other@x', key: account.privateKey, scopes: ['a'], ...options })
  await assert.rejects(wrongKey.authorize(), /invalid_grant/)
})

test('a service account reuses one token for many requests and renews it when it is refused', async (t) => {
  const { google, ask, tokenUrl } = await open(t)
  const authorization = { type: 'google_service_account', ...account, tokenUrl }
  assert.ok((await ask(authorization)).ok)
  assert.ok((await ask(authorization)).ok)
  assert.equal(google.tokens.made(), 1)
  google.tokens.revoke()
  assert.ok((await ask(authorization)).ok)
  assert.equal(google.tokens.made(), 2)
  // Line breaks as escaped in a JSON file.
  assert.ok((await ask({ ...authorization, privateKey: account.privateKey.replaceAll('\n', '\\n') })).ok)
})

test('a refresh token obtains an access token', async (t) => {
  const { google, ask, tokenUrl } = await open(t)
  const authorization = { type: 'google_refresh_token', ...client, tokenUrl }
  assert.ok((await ask(authorization)).ok)
  google.tokens.revoke()
  assert.ok((await ask(authorization)).ok)
  assert.equal(google.tokens.made(), 2)
})

test('a refusal is reported without secrets', async (t) => {
  const { google, ask, tokenUrl } = await open(t)
  const refusals = [
    await ask({ type: 'google_refresh_token', ...client, refreshToken: '1//planted-old', tokenUrl }),
    await ask({ type: 'google_refresh_token', ...client, clientSecret: 'planted-wrong', tokenUrl }),
    await ask({ type: 'google_service_account', ...account, clientEmail: 'other@x.test', tokenUrl }),
    await ask({ type: 'bearer', token: 'planted-bearer' }),
  ]
  google.fail('unauthorized')
  refusals.push(await ask({ type: 'google_service_account', ...account, tokenUrl }))
  for (const outcome of refusals) {
    assert.ok(!outcome.ok)
    assert.match(outcome.error, /status 40[01]/)
    assert.doesNotMatch(outcome.error, /planted|PRIVATE/)
  }
})

test('missing fields are reported, and a scope is added only if there is none', () => {
  const key = account.privateKey
  const wrong = [
    { type: 'google_service_account' },
    { type: 'google_service_account', clientEmail: 'a@b' },
    { type: 'google_service_account', clientEmail: 'a@b', privateKey: 'planted-key' },
    { type: 'google_service_account', clientEmail: 'a@b', privateKey: key, tokenUrl: 'nowhere' },
    { type: 'google_refresh_token', clientId: 'a', clientSecret: 'planted' },
  ]
  for (const authorization of wrong) {
    const problem = authorizationProblem(authorization)
    assert.match(problem ?? '', /needs/)
    assert.doesNotMatch(problem ?? '', /planted/)
  }
  assert.equal(authorizationProblem({ type: 'google_service_account', clientEmail: 'a@b', privateKey: key }), null)
  const scoped = (scope?: string) =>
    scopedTo(aTool({ authorization: { type: 'google_refresh_token', ...(scope ? { scope } : {}) } }), 'ours')
      .authorization?.scope
  assert.deepEqual([scoped(), scoped('theirs')], ['ours', 'theirs'])
  assert.deepEqual(scopedTo(aTool({ authorization: { type: 'bearer', token: 'x' } }), 'ours').authorization, {
    type: 'bearer',
    token: 'x',
  })
})
