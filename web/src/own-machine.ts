// Whether a host name is a loopback address. Pure.

export const isOwnMachine = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(hostname)
