// Yes, no and neither, in everyday words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPlainYes, yesNoIn } from './yes-no.ts'

const answers: readonly (readonly [language: string, answer: 'yes' | 'no' | null, said: string])[] = [
  [
    'pt-BR',
    'yes',
    `Sim. | Sim, por favor | Isso | Isso mesmo | Isso aí | É isso | É | É sim | Claro | Claro que sim | Com certeza | Pode | Pode ser | Pode sim | Pode, sim | Tá | Tá bom | Tá certo | Tá ok | Está bem | Ok | Beleza | Blz | Combinado | Fechado | Perfeito | Exato | Exatamente | Correto | Positivo | Aham | Uhum | Sou eu | Sou eu mesmo | Sou sim | É ele mesmo | É ela | Eu mesmo | Quero | Quero sim | Aceito | Confirmo | Não tem problema | Sem problema | Sem problemas | Não vejo problema | Pois não | Por que não | Certo | Certinho | Bora | Vamos | Vamos lá | Tudo bem | Tudo certo | Concordo | De acordo | Pode marcar | Pode confirmar | Ótimo | Maravilha | Show | Jóia | Com certeza absoluta | Lógico | Óbvio | Evidente | Sim sim | Isso, correto | Ah, sim | Hum, sim | Tenho | Tenho sim | Posso | Posso sim | Dá sim | Dá | Serve | Pode mandar | Agora sim | Não, está certo | Não, tá certo sim | Sim, é isso mesmo, obrigado | Acho que sim | Creio que sim | Isso daí | Tá joia | Por mim tudo bem | Por mim, pode`,
  ],
  [
    'pt-BR',
    'no',
    `Não | Não. | Não, obrigado | Não não | Nada disso | Claro que não | De jeito nenhum | De forma alguma | Nem pensar | Negativo | Agora não | Não quero | Não posso | Não é | Não está certo | Tá errado | Está errada | Errado | Incorreto | Não, errado | Não sou eu | Não concordo | Não aceito | Nunca | Jamais | Acho que não | Creio que não | Melhor não | Prefiro não | Ainda não | Hoje não | Nem a pau | Não, não é isso | Tem um erro | Dispenso | Não dá | Não precisa | Não, obrigada | Deixa pra lá`,
  ],
  [
    'pt-BR',
    null,
    `Não sei | Não entendi | Não ouvi | Não tenho certeza | Talvez | Depende | Não lembro | O quê | Como | Quem fala | Hã | Não sei dizer | Pode repetir | Pode repetir por favor | Pode falar mais devagar | Um momento | Sei lá | Não faço ideia | Não escutei | Quanto custa | Mais ou menos | Quem é`,
  ],
  [
    'en-US',
    'yes',
    `Yes | Yes. | Yeah | Yep | Yup | Sure | Sure thing | Of course | Absolutely | Definitely | Correct | That's correct | That's right | Right | Exactly | OK | Okay | Go ahead | Sounds good | That works | That's fine | Fine | I do | I am | It is | Yes it is | Yes please | You bet | Speaking | That's me | This is he | This is she | Why not | No problem | No worries | Not a problem | Mm-hmm | Uh-huh | Perfect | Great | Please do | I'd love to | Yes, that's it | I agree | Agreed | Confirmed | Certainly | Indeed | By all means | I think so | I guess so | All right | Alright | Good | No, that's right | Cool | Works for me | Of course, yes | Yes I can | I can | Oh yes | Well, yes`,
  ],
  [
    'en-US',
    'no',
    `No | No. | Nope | Nah | No thanks | No thank you | Not really | No way | Of course not | Absolutely not | Definitely not | I don't think so | Never | That's wrong | That's not right | It's incorrect | Wrong | Negative | Not at all | Not now | Not today | I can't | I don't want to | It isn't | It's not | No, it's wrong | That isn't me | I'd rather not | Not interested | I'm afraid not | There's a mistake | Not yet | No sir`,
  ],
  [
    'en-US',
    null,
    `I don't know | I'm not sure | Not sure | Maybe | Perhaps | It depends | I don't understand | I didn't understand | What | Sorry | Pardon | I can't hear you | Could you repeat that | Can you repeat | I don't remember | I have no idea | No idea | Who is this | How much is it | One moment | I didn't catch that | Say that again | the weather`,
  ],
  [
    'es-MX',
    'yes',
    `Sí | Si | Sí, claro | Claro | Claro que sí | Por supuesto | Correcto | Exacto | Exactamente | Así es | Eso es | De acuerdo | Está bien | Vale | Ok | Okey | Dale | Sale | Órale | Cómo no | Desde luego | Soy yo | Sí soy | El mismo | Adelante | Listo | Perfecto | Bueno | Muy bien | Me parece bien | Sí, por favor | Sí señor | Sin problema | No hay problema | No pasa nada | Por qué no | Ajá | Confirmo | Acepto | Quiero | Puedo | Puede ser | Seguro | Efectivamente | Cierto | Es correcto | Eso mismo | Con gusto | Con mucho gusto | Creo que sí | No, está bien`,
  ],
  [
    'es-MX',
    'no',
    `No | No. | No, gracias | No no | Claro que no | Para nada | De ninguna manera | Ni hablar | Nunca | Jamás | Negativo | No quiero | No puedo | No es correcto | Está mal | Incorrecto | Equivocado | No soy yo | Ahora no | Hoy no | Todavía no | Creo que no | Mejor no | Prefiero no | No me interesa | Tampoco | No es | No, está mal | Hay un error | Nada de eso`,
  ],
  [
    'es-MX',
    null,
    `No sé | No lo sé | No entiendo | No entendí | No estoy seguro | No estoy segura | Tal vez | Quizás | A lo mejor | Depende | Cómo | Qué | Mande | No oigo | No escuché | No recuerdo | Ni idea | No tengo idea | Puede repetir | Me lo repite | Quién habla | Mañana | Un momento | Más o menos`,
  ],
]

for (const [language, answer, said] of answers)
  test(`${language}: answers that are ${answer ?? 'neither yes nor no'}`, () => {
    const wrong = said.split('|').filter((text) => yesNoIn(text.trim(), language) !== answer)
    assert.deepEqual(wrong, [])
  })

test('a plain yes has nothing else in it', () => {
  assert.equal(isPlainYes('sim, está certo', 'pt-BR'), true)
  assert.equal(isPlainYes('não tem problema', 'pt-BR'), true)
  assert.equal(isPlainYes('sim, mas o final é 35', 'pt-BR'), false)
  assert.equal(isPlainYes('pode repetir', 'pt-BR'), false)
})
