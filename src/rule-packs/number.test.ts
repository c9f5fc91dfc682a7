// Numbers as people write them, with their country, states and time zones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calleeOf, isServiceNumber, parseNumber, parsePersonal } from './number.ts'

const mobile = { number: '+5511987654321', country: 'BR', type: 'MOBILE' }

for (const text of [
  '+5511987654321',
  '+55 (11) 98765-4321',
  '11 98765-4321',
  ' 011987654321 ',
  '0 21 11 98765-4321', // with a carrier's selection code
  '5511987654321',
])
  test(`parseNumber reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseNumber(text, 'BR'), mobile))

for (const [text, country] of [
  ['11 8765-4321', 'BR'], // a mobile number without its ninth digit
  ['00 98765-4321', 'BR'],
  ['190', 'BR'],
  ['+55 11 98765-4321 ext. 12', 'BR'], // the extension would be lost
  ['11 98765-4321 / 11 99999-9999', 'BR'],
  ['Maria', 'BR'],
  ['11 98765-4321', 'XX'],
  ['+80012345678', 'BR'], // international freephone: belongs to no country
  ['1'.repeat(65), 'BR'],
  [`+55${' '.repeat(5000)}11987654321`, 'BR'],
] as const)
  test(`parseNumber refuses ${JSON.stringify(text.slice(0, 40))} in ${country}`, () =>
    assert.deepEqual(parseNumber(text, country), { problem: 'number_invalid' }))

for (const [text, country] of [
  ['0800 123 4567', 'BR'],
  ['0300 123 4567', 'BR'],
  ['0500 123 4567', 'BR'],
  ['0900 123 4567', 'BR'],
  ['4004-1234', 'BR'],
  ['3003-1234', 'BR'],
  ['190', 'BR'],
  ['103 15', 'BR'], // a carrier's customer service
  ['+1 800 555 0199', 'BR'],
  ['900 234 5678', 'US'],
  ['0180 5 123456', 'DE'],
  ['0300 200 3300', 'GB'],
  ['+351 808 123 456', 'BR'],
] as const)
  test(`parsePersonal: ${text} in ${country} is nobody's own number`, () => {
    assert.deepEqual(parsePersonal(text, country), { problem: 'number_not_callable' })
    const parsed = parseNumber(text, country)
    if ('number' in parsed) assert.ok(isServiceNumber(parsed.number))
  })

test('parsePersonal takes mobile and fixed numbers, and refuses the others for their own reasons', () => {
  for (const text of ['11 98765-4321', '(11) 3000-0000', '(11) 3003-1234', '+49 30 901820', '+1 212 555 0123'])
    assert.ok('number' in parsePersonal(text, 'BR'), text)
  assert.deepEqual(parsePersonal('12', 'BR'), { problem: 'number_invalid' })
  assert.deepEqual(parsePersonal('190', 'PT'), { problem: 'number_invalid' })
  assert.deepEqual(parsePersonal(' ', 'BR'), { problem: 'number_empty' })
  assert.equal(isServiceNumber('+5511987654321'), false)
})

test('parseNumber: no text, other countries, and the default country only where no code is given', () => {
  assert.deepEqual(parseNumber(' \t', 'BR'), { problem: 'number_empty' })
  assert.deepEqual(parseNumber('030 901820', 'DE'), { number: '+4930901820', country: 'DE', type: 'FIXED_LINE' })
  assert.deepEqual(parseNumber('+49 30 901820', 'BR'), { number: '+4930901820', country: 'DE', type: 'FIXED_LINE' })
  assert.deepEqual(parseNumber('0800 123 4567', 'BR'), { number: '+558001234567', country: 'BR', type: 'TOLL_FREE' })
})

for (const [number, country, regions, zones] of [
  ['+5511987654321', 'BR', 'BR-SP', 'America/Sao_Paulo'],
  ['+556133334444', 'BR', 'BR-DF BR-GO', 'America/Sao_Paulo'], // four area codes cross a state border
  ['+554233334444', 'BR', 'BR-PR BR-SC', 'America/Sao_Paulo'],
  ['+556833334444', 'BR', 'BR-AC', 'America/Rio_Branco'],
  ['+558133334444', 'BR', 'BR-PE', 'America/Recife America/Noronha'],
  ['+559233334444', 'BR', 'BR-AM', 'America/Manaus'],
  ['+559733334444', 'BR', 'BR-AM', 'America/Manaus America/Eirunepe'],
  ['+5540041234', 'BR', '', 'America/Araguaina America/Boa_Vista America/Eirunepe America/Noronha'],
  ['+558001234567', 'BR', '', 'America/Araguaina America/Boa_Vista America/Eirunepe America/Noronha'],
  ['+595981123456', 'PY', '', 'America/Asuncion'],
  ['+38344123456', 'XK', '', 'Europe/Belgrade'],
  ['+80012345678', null, '', ''],
  ['+5', null, '', ''],
  ['', null, '', ''],
] as const)
  test(`calleeOf ${number || 'nothing'}: ${country ?? 'no country'} ${regions}`, () => {
    const words = (text: string) => (text ? text.split(' ') : [])
    assert.deepEqual(calleeOf(number), { country, regions: words(regions), zones: words(zones) })
  })

test('calleeOf: a country of several zones has each clock once', () => {
  const { zones, regions } = calleeOf('+12025550123')
  assert.deepEqual(regions, [])
  assert.equal(zones.length, 8)
  for (const zone of ['Pacific/Honolulu', 'America/Phoenix', 'America/Chicago']) assert.ok(zones.includes(zone), zone)
})

test('every country of the numbering plan has a time zone', async () => {
  const { getCountries, getExampleNumber } = await import('libphonenumber-js/max')
  const { default: examples } = await import('libphonenumber-js/mobile/examples')
  const without = getCountries().filter((country) => {
    const number = getExampleNumber(country, examples)?.number
    return !number || calleeOf(number).zones.length === 0
  })
  assert.deepEqual(without, [])
})

test('every Brazilian area code has its state and zone', () => {
  const states = new Set<string>()
  let areas = 0
  for (let area = 11; area <= 99; area++) {
    const { regions, zones } = calleeOf(`+55${area}33334444`)
    if (regions.length === 0) continue
    areas++
    assert.ok(zones.length > 0, String(area))
    for (const region of regions) states.add(region)
  }
  assert.equal(areas, 67)
  assert.equal(states.size, 27)
})
