// The fast path is used only on processors with the instructions that it was measured with.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { supportsInt8 } from './processor.ts'

test('AVX512-VNNI on x86 and asimddp on ARM are suitable; a processor without them is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cpu-'))
  const file = join(folder, 'cpuinfo')
  const suits = async (text: string) => {
    await writeFile(file, text)
    return supportsInt8(file)
  }
  try {
    assert.equal(await suits('processor\t: 0\nflags\t\t: fpu avx2 avx512f avx512_vnni sha_ni\nbugs\t: x\n'), true)
    assert.equal(await suits('processor\t: 0\nflags\t\t: fpu avx2 avx512f sha_ni\nbugs\t: avx512_vnni\n'), false)
    assert.equal(await suits('processor\t: 0\nFeatures\t: fp asimd sve\n'), false)
    assert.equal(await suits('processor\t: 0\nFeatures\t: fp asimd aes asimddp\nCPU part\t: 0xd0c\n'), true)
    assert.equal(await supportsInt8(join(folder, 'absent')), false)
  } finally {
    await rm(folder, { recursive: true })
  }
})
