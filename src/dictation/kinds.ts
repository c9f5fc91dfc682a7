// Kinds of dictated values, and the result of reading one.

export const valueKinds = ['cpf', 'cnpj', 'cep', 'phone', 'email', 'date', 'money', 'name', 'plate', 'number'] as const
export type ValueKind = (typeof valueKinds)[number]

/**
 * `value` is normalized: digits of a document, an E.164 number where the country is known, an ISO date, "1500.50 BRL".
 * `isAssumed`: something was filled in, such as the .com of gmail.
 */
export type Reading =
  | { readonly isComplete: true; readonly value: string; readonly isAssumed?: boolean }
  | { readonly isComplete: false; readonly problem: Problem; readonly partial: string }

/** `none`: no such value; `incomplete`: the beginning of one; `invalid`: complete but wrong; `unclear`: several readings. */
export type Problem = 'none' | 'incomplete' | 'invalid' | 'unclear'

export type ReadingContext = {
  /** BCP 47. */
  readonly language: string
  /** ISO date that "tomorrow" counts from. */
  readonly today?: string
}

export const complete = (value: string): Reading => ({ isComplete: true, value })
export const failed = (problem: Problem, partial = ''): Reading => ({ isComplete: false, problem, partial })
