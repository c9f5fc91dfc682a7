// /auth/second-factor: lets a signed-in user switch TOTP on and off.
import { appError } from '../../base/errors/errors.ts'
import { errorAnswers } from '../../http/schema.ts'
import type { Routes } from '../../http/server.ts'
import type { Attempts } from './attempts.ts'
import { BeginBody, BegunSecondFactor, ConfirmBody, RecoveryCodes, RemoveBody, SecondFactorState } from './schema.ts'
import { plainCode, type SecondFactors } from './second-factor-store.ts'
import type { SessionContext } from './session-routes.ts'
import { base32, isTotp, otpauthUrl } from './totp.ts'

export type SecondFactorParts = {
  factors: SecondFactors
  tries: Attempts
  context: SessionContext
  qrSvg: (text: string) => Promise<string>
}

/** True if the code is valid. Wrong app codes are counted over a long window. */
export async function isGoodCode(
  { factors, tries }: Pick<SecondFactorParts, 'factors' | 'tries'>,
  userId: string,
  code: string,
  device: string | undefined,
): Promise<boolean> {
  const succeeded = isTotp(plainCode(code)) ? await tries.beginCode(userId, device) : undefined
  if (!(await factors.takes(userId, code))) return false
  await succeeded?.()
  return true
}

export const secondFactorRoutes =
  ({ factors, tries, context, qrSvg }: SecondFactorParts): Routes =>
  (app) => {
    const answers = (answer: object) => ({ hide: true, response: { 200: answer, ...errorAnswers } })

    app.get('/auth/second-factor', { schema: answers(SecondFactorState) }, async (req) => {
      const { user } = await context.signedIn(req)
      return factors.stateOf(user.id)
    })

    const begin = { schema: { ...answers(BegunSecondFactor), body: BeginBody } }
    app.post('/auth/second-factor/begin', begin, async (req) => {
      const signedIn = await context.signedIn(req)
      const { user } = signedIn
      const { email } = await context.samePerson(req, signedIn, req.body.password)
      const secret = await factors.begin(user.id)
      const url = otpauthUrl(secret, email)
      return { secret: base32(secret), otpauthUrl: url, qrSvg: await qrSvg(url) }
    })

    const confirm = { schema: { ...answers(RecoveryCodes), body: ConfirmBody } }
    app.post('/auth/second-factor/confirm', confirm, async (req) => {
      const { user } = await context.signedIn(req)
      const succeeded = await tries.begin('confirm', req.ip)
      const recoveryCodes = await factors.confirm(user.id, req.body.code)
      if (!recoveryCodes) throw appError('code_wrong_clock')
      await succeeded()
      return { recoveryCodes }
    })

    const remove = { schema: { ...answers(SecondFactorState), body: RemoveBody } }
    app.post('/auth/second-factor/remove', remove, async (req) => {
      const signedIn = await context.signedIn(req)
      const { user } = signedIn
      if (!(await factors.isOn(user.id))) throw appError('second_factor_off')
      await context.samePerson(req, signedIn, req.body.password)
      if (!(await isGoodCode({ factors, tries }, user.id, req.body.code, signedIn.session.id)))
        throw appError('code_refused')
      await factors.remove(user.id)
      return factors.stateOf(user.id)
    })
  }
