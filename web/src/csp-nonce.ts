// The CSP nonce of this page load, which libraries need to add style elements.
export const cspNonce = (): string => document.querySelector<HTMLMetaElement>('meta[property=csp-nonce]')?.nonce ?? ''
