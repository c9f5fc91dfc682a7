// Filters a browser's ICE candidates: each one makes us send packets to an address of its choosing, so private addresses are tried only if
// the browser is in that network. Dropping a candidate costs little: the browser's own checks reveal its address (peer-reflexive).
import { BlockList, isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

export type IceGuard = {
  /** The source address of the offer. */
  peerAddress: string
  /** Public addresses, and those that the operator allows. */
  mayReach: (address: string) => boolean
}

/** Per media section: a browser with several networks has about a dozen. */
const MAX_CANDIDATES = 20
/** mDNS names, by which browsers hide their addresses. */
const HIDDEN_NAME = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.local$/i

const networks = [
  ...['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10', '169.254.0.0/16', '127.0.0.0/8'],
  ...['fc00::/7', 'fe80::/10', '::1/128'],
].map((cidr) => {
  const [address = '', bits] = cidr.split('/')
  const list = new BlockList()
  list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  return list
})
const isWithin = (list: BlockList, address: string) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
const plain = (address: string) => (address.toLowerCase().split('%', 1)[0] ?? '').replace(/^::ffff:(?=\d+\.)/, '')
const ownAddresses = () =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map((each) => plain(each.address)))

/** The offer without the candidates that must not be tried. */
export function filterCandidates(sdp: string, { peerAddress, mayReach }: IceGuard): string {
  const peer = plain(peerAddress)
  const own = ownAddresses()
  const isHere = own.includes(peer) || /^127\.|^::1$/.test(peer)
  const home = networks.find((list) => isIP(peer) !== 0 && isWithin(list, peer))

  function mayTry(written: string): boolean {
    const address = plain(written)
    if (isIP(address) === 0) return HIDDEN_NAME.test(written)
    if (address === peer) return true
    if (own.includes(address)) return isHere
    return (home !== undefined && isWithin(home, address)) || mayReach(address)
  }

  let kept = 0
  const isKept = (line: string) => {
    if (line.startsWith('m=')) kept = 0
    if (!line.startsWith('a=candidate:')) return true
    return mayTry(line.split(' ')[4] ?? '') && ++kept <= MAX_CANDIDATES
  }
  return sdp
    .split(/(?<=\n)/)
    .filter(isKept)
    .join('')
}
