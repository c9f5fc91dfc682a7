// `ramal device link`: shows a pairing code in the terminal and waits until a phone has registered.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { startPhoneApp } from '../phone-app.ts'
import { newFolder, startProgram } from '../phones/program.ts'
import { openAgent } from '../sip-agents.ts'
import { until } from '../until.ts'

test('the terminal shows a pairing code, and reports when a phone has used it', async (t) => {
  const app = await startPhoneApp()
  const base = await app.app.listen()
  const { database, dataDir } = app.config
  const env = {
    DATA_DIR: dataDir,
    PUBLIC_URL: base,
    SIP_PORT: String(app.sipPort),
    ...(database.kind === 'postgres' ? { DATABASE_URL: database.url } : {}),
  }
  const command = startProgram(
    process.execPath,
    [join(import.meta.dirname, '../../src/cli/main.ts'), 'device', 'link', '--user', app.ana.userId],
    {
      folder: newFolder('cli'),
      env,
    },
  )
  t.after(() => command.stop())
  const [link] = await until('there is a link', () => /^http\S+\/provision\/\S+$/m.exec(command.output()))
  await until('it waits for the phone', () => /Waiting for the phone/.test(command.output()))
  assert.match(command.output(), /█▀▀▀▀▀█/, 'and a code')
  assert.match(command.output(), /points to a loopback address, .* set HOST=0\.0\.0\.0/)
  assert.doesNotMatch(command.output(), /phones in the same network/)
  const [device] = (await app.ana.get('/api/gateway/devices')).json
  assert.equal(device.status, 'waiting_qr', 'a device was made, for there was none')

  const config = await (await fetch(link)).text()
  const value = (name: string) => new RegExp(`name="${name}"[^>]*>([^<]+)<`).exec(config)?.[1] ?? ''
  await app.app.phone?.refresh()
  const { ua } = await openAgent(t)
  const account = `<sip:${value('username')}@127.0.0.1:${app.sipPort}>`
  const registered = await ua.request({
    method: 'REGISTER',
    uri: `sip:127.0.0.1:${app.sipPort}`,
    from: account,
    to: account,
    credentials: { username: value('username'), password: value('passwd') },
  })
  assert.equal('response' in registered && registered.response.status, 200)
  assert.equal(await command.exited, 0)
  assert.match(command.output(), /connected\n$/)
})
