import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dialPolicy } from './dial-policy.ts'

const policy = dialPolicy(['+870', '+881', '+882', '+979', '+1900'])

const denied = [
  '+88216123456',
  '+882 16 123-456',
  '0088216123456',
  '01188216123456',
  '001188216123456',
  '002188216123456',
  '88216123456',
  '19005551234',
  'sip:+88216123456@carrier.example',
  'sip:88216123456@carrier.example',
  'SIP:01188216123456@carrier.example',
  'sip:001188216123456@carrier.example',
  'sip:000088216123456@carrier.example',
  'sip:99%23+88216123456@carrier.example',
  'sip:99%2523+88216123456@carrier.example',
  'sip:%2b88216123456@carrier.example',
  'sip:+88%32%31%36123456@carrier.example',
  'sip:*31*88216123456@carrier.example',
  'sip:16123456;phone-context=+882@carrier.example',
  'sip:+551140028922;rn=+88216123456;npdi@carrier.example',
  'sip:8x82161234567@carrier.example',
  'sip:81088216123456@carrier.example',
  'sip:01088216123456@carrier.example',
  'sip:00188216123456@carrier.example',
  'sip:901188216123456@carrier.example',
  'sip:90088216123456@carrier.example',
  'sip:981088216123456@carrier.example',
  'sip:*7288216123456@carrier.example',
  'sip:*7201188216123456@carrier.example',
  'sip:%2A7288216123456@carrier.example',
  'sip:16123456@carrier.example;phone-context=+882',
  'sip:216123456@carrier.example;user=phone;phone-context=+88',
  'sip:216123456;phone-context=+88@carrier.example',
  'sip:16123456@carrier.example;%70hone-context=%2B882',
  'sip:123456789012345678901@carrier.example',
]
for (const dialed of denied)
  test(`${dialed} may not be dialled`, () => {
    assert.equal(policy.allows(dialed), false)
  })

const allowed = [
  '+5511987654321',
  '+55 (97) 98765-4321',
  '005511987654321',
  '18008821234',
  '+18008821234',
  '190',
  '*88',
  'sip:+5511987654321@carrier.example',
  'sip:front-desk@pbx.example',
  'sip:882@pbx.example',
  'sip:pbx.example',
  'sip:882.example',
  'sip:+18108821234@carrier.example',
  'sip:8108821234@carrier.example',
  'sip:18108821234@carrier.example',
  'sip:0018705551234@carrier.example',
  'sip:*725511987654321@carrier.example',
  'sip:9005511987654321@carrier.example',
  'sip:40028922@carrier.example;phone-context=+5511',
]
for (const dialed of allowed)
  test(`${dialed} may be dialled`, () => {
    assert.equal(policy.allows(dialed), true)
  })

const formats: [e164: string, dialed: string, isAllowed: boolean][] = [
  ['+5511987654321', '+5511987654321', true],
  ['+5511987654321', '5511987654321', true],
  ['+5511987654321', '0015987654321', true],
  ['+18705551234', '0018705551234', true],
  ['+18108821234', '18108821234', true],
  ['+5597987654321', '97987654321', true],
  ['+558832345678', '8832345678', true],
  ['+5511979123456', '979123456', true],
  ['+551116123456', '+88216123456', false],
  ['+551116123456', '88216123456', false],
  ['+551116123456', '0088216123456', false],
  ['+5588216123456', '88216123456', false],
  ['+88216123456', '16123456', false],
]
for (const [e164, dialed, isAllowed] of formats)
  test(`${e164} sent as ${dialed} is ${isAllowed ? 'allowed' : 'refused'}`, () => {
    assert.equal(policy.allowsAs(e164, dialed), isAllowed)
  })

test('an empty list denies only strings that are not numbers', () => {
  assert.equal(dialPolicy([]).allows('+88216123456'), true)
  assert.equal(dialPolicy([]).allows('sip:123456789012345678901@carrier.example'), false)
})
