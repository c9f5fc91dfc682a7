// Brazilian documents: CPF and CNPJ with their check digits, CEP, and vehicle plates.

/** Modulo 11 over characters valued by their code minus 48, as the alphanumeric CNPJ of 2026 defines it. */
function checkDigit(characters: string, weights: readonly number[]): number {
  const sum = weights.reduce((total, weight, i) => total + weight * (characters.charCodeAt(i) - 48), 0)
  return sum % 11 < 2 ? 0 : 11 - (sum % 11)
}

const cpfWeights = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2]
const cnpjWeights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2]

/** The characters with their correct check digits appended. */
const withCheckDigits = (start: string, weights: readonly number[]): string => {
  const first = start + checkDigit(start, weights.slice(1))
  return first + checkDigit(first, weights)
}

const isOneCharacter = (text: string): boolean => [...text].every((character) => character === text[0])

export const CPF_DIGITS = 11
export const CNPJ_CHARACTERS = 14
export const CEP_DIGITS = 8

/** Eleven equal digits pass the arithmetic, but are never issued. */
export const isCpf = (digits: string): boolean =>
  /^\d{11}$/.test(digits) && !isOneCharacter(digits) && withCheckDigits(digits.slice(0, 9), cpfWeights) === digits

/** All digits, or twelve letters and digits with two check digits. */
export const isCnpj = (characters: string): boolean =>
  /^[0-9A-Z]{12}\d{2}$/.test(characters) &&
  !isOneCharacter(characters) &&
  withCheckDigits(characters.slice(0, 12), cnpjWeights) === characters

export const isCep = (digits: string): boolean => /^\d{8}$/.test(digits) && !isOneCharacter(digits)

/** Mercosul and the older Brazilian plates; in Spanish also Argentinian and Spanish ones. */
export const isPlate = (characters: string, language: string): boolean =>
  /^[A-Z]{3}\d[0-9A-Z]\d{2}$/.test(characters) ||
  (language.startsWith('es') && /^(?:[A-Z]{2}\d{3}[A-Z]{2}|[A-Z]{3}\d{3}|\d{4}[A-Z]{3})$/.test(characters)) ||
  (language.startsWith('en') && /^(?=.*\d)[0-9A-Z]{5,8}$/.test(characters))
