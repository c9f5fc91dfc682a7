// Validates a sign-in or setup form before it is sent; the messages are in auth-texts.ts.

export type AccountProblem = 'missing' | 'notAnEmail' | 'tooShort' | 'differ'
export type AccountProblems = Partial<
  Record<'email' | 'password' | 'repeat' | 'setupCode' | 'code' | 'apiKey', AccountProblem>
>

export const MIN_PASSWORD = 10

/** Catches only obvious mistakes: the server decides. */
const isEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

const emailProblem = (email: string): AccountProblem | undefined =>
  email === '' ? 'missing' : isEmail(email) ? undefined : 'notAnEmail'

const given = (problems: Record<string, AccountProblem | undefined>): AccountProblems =>
  Object.fromEntries(Object.entries(problems).filter(([, problem]) => problem !== undefined))

export const problemsOfSignIn = ({ email, password }: { email: string; password: string }): AccountProblems =>
  given({ email: emailProblem(email.trim()), password: password === '' ? 'missing' : undefined })

export const problemsOfKey = (apiKey: string): AccountProblems =>
  given({ apiKey: apiKey.trim() === '' ? 'missing' : undefined })

export type SetupForm = { email: string; password: string; repeat: string; setupCode: string }

export function problemsOfSetup(
  { email, password, repeat, setupCode }: SetupForm,
  needsCode: boolean,
): AccountProblems {
  const isShort = [...password].length < MIN_PASSWORD
  return given({
    email: emailProblem(email.trim()),
    password: password === '' ? 'missing' : isShort ? 'tooShort' : undefined,
    repeat: repeat === password ? undefined : 'differ',
    setupCode: needsCode && setupCode.trim() === '' ? 'missing' : undefined,
  })
}
