// The permissions that the page expects are those that the server asks for.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { permissionFor } from '../../src/http/permissions.ts'
import { permissionOfPage, permissionOfQuery, permissionsOfLink, removalOnPage } from './page-permissions.ts'
import { pages } from './pages.ts'

const client = readFileSync(join(import.meta.dirname, '../../client/paths.ts'), 'utf8')
const [, ...blocks] = client.split(/^ {2}'(?=\/api\/)/m)
const paths = blocks.filter((block) => block.includes('\n    get: {')).map((block) => block.split("'", 1)[0] ?? '')

test('a query needs the same permission as its route', () => {
  assert.ok(paths.length > 50)
  for (const path of paths) {
    assert.equal(permissionOfQuery(path), permissionFor('GET', path.replaceAll(/\{(\w+)\}/g, ':$1')), path)
  }
})

test('every page but those of the person and the platform needs a permission', () => {
  const open = pages.map(([path]) => path).filter((path) => permissionOfPage(path) === null)
  assert.deepEqual(open, ['/', '/organization', '/users', '/settings'])
})

test('a page that creates or edits a record needs the permission to change it', () => {
  assert.equal(permissionOfPage('/agents/new'), 'agents:write')
  assert.equal(permissionOfPage('/campaigns/cmp_1/edit'), 'campaigns:write')
  assert.equal(permissionOfPage('/agents/agt_1/talk'), 'tests:write')
  assert.equal(permissionOfPage('/agents/agt_1'), 'agents:read')
})

test('placing a call also needs the agents; deleting a call is erasing', () => {
  assert.deepEqual(permissionsOfLink('/live?place=%2B551130001000'), ['calls:write', 'agents:read'])
  assert.deepEqual(permissionsOfLink('/live?call=call_1'), ['calls:read'])
  assert.equal(removalOnPage('/calls/call_1'), 'erasure:write')
  assert.equal(removalOnPage('/callbacks'), 'callbacks:write')
})
