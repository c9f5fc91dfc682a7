// Object storage settings: all or none, and no secrets in the URL.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from './load.ts'

const all = {
  S3_ENDPOINT: 'https://s3.example.com/',
  S3_BUCKET: 'recordings',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
}

test('recordings stay on the disk without settings, and go to the store with all of them', () => {
  assert.equal(readConfig({}).objectStore, null)
  assert.deepEqual(readConfig(all).objectStore, {
    endpoint: 'https://s3.example.com',
    bucket: 'recordings',
    region: 'us-east-1',
    accessKeyId: 'id',
    secretAccessKey: 'secret',
  })
  assert.equal(readConfig({ ...all, S3_REGION: 'auto' }).objectStore?.region, 'auto')
})

test('incomplete or wrong settings are refused with the names of the settings, and without their values', () => {
  for (const [change, message] of [
    [{ S3_BUCKET: '' }, /need S3_BUCKET as well/],
    [{ S3_ACCESS_KEY_ID: '', S3_SECRET_ACCESS_KEY: '' }, /need S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY as well/],
    [{ S3_BUCKET: 'Upper_Case' }, /S3_BUCKET must be/],
    [{ S3_ENDPOINT: 's3.example.com' }, /S3_ENDPOINT/],
    [{ S3_ENDPOINT: 'https://user:pass@s3.example.com' }, /S3_ENDPOINT must hold no user name/],
  ] as const)
    assert.throws(
      () => readConfig({ ...all, ...change }),
      (error: Error) => message.test(error.message) && !error.message.includes('secret'),
    )
  assert.throws(() => readConfig({ S3_REGION: 'auto' }), /S3_REGION needs S3_ENDPOINT/)
})
