// CSV: quoting, stable numbers and dates, and cells that would run as formulas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { csvFileName, csvHead, csvLine, csvTime, separatorFor } from './csv.ts'

const cell = (value: Parameters<typeof csvLine>[0][number]) => csvLine([value], ',').replace(/\r\n$/, '')

test('no text can become a formula', () => {
  for (const attack of [
    '=1+1',
    '+5511987654321',
    '-2+3',
    '@SUM(A1)',
    ' =cmd|x',
    '\t=1',
    '\r=1',
    '\n@x',
    '"=1"',
    "'=1",
    '＝1+1',
    '\u00a0=1',
  ]) {
    const unquoted = cell(attack).replace(/^"(.*)"$/s, '$1')
    assert.equal(unquoted[0], "'", JSON.stringify(attack))
  }
  assert.equal(cell('\tx').replaceAll('"', '')[0], "'")
  assert.equal(cell('=HYPERLINK("https://evil.example","x")'), `"'=HYPERLINK(""https://evil.example"",""x"")"`)
})

test('ordinary texts stay as they are; separators, quotes and line ends are quoted', () => {
  for (const plain of ['Ana', 'São Paulo', 'a = b', 'x-y', '10', '', '中文']) assert.equal(cell(plain), plain)
  assert.equal(cell('a;b'), '"a;b"')
  assert.equal(cell('a,b'), '"a,b"')
  assert.equal(cell('say "x"'), '"say ""x"""')
  assert.equal(cell('two\nlines'), '"two\nlines"')
})

test('numbers and dates have one format in every language', () => {
  assert.equal(cell(-12.5), '-12.5')
  assert.equal(cell(1234567), '1234567')
  assert.equal(cell(true), 'true')
  assert.equal(cell(null), '')
  assert.equal(cell(new Date(2026, 0, 31, 9, 5, 7)), '2026-01-31 09:05:07')
  assert.equal(csvTime(new Date('nonsense')), '')
})

test('Excel sees UTF-8, and the separator of its language', () => {
  assert.equal(csvHead(['Nome', 'Duração'], ';'), '\uFEFFNome;Duração\r\n')
  assert.equal(separatorFor('pt'), ';')
  assert.equal(separatorFor('en'), ',')
  assert.equal(csvFileName('calls', new Date(2026, 0, 31)), 'ramal-calls-2026-01-31.csv')
})
