// The nonce of this page load, with which libraries may add style elements under the content security policy.
export const cspNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
