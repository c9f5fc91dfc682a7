// Device states and gateway failures: the server's English with translations into Portuguese and Spanish; {names} are
// placeholders.
import type { ServerTexts } from '../server-text.ts'

export const devicesServerTexts: ServerTexts = {
  'WhatsApp answered with something that is not JSON': [
    'O WhatsApp deu uma resposta que não é JSON',
    'WhatsApp dio una respuesta que no es JSON',
  ],
  'WhatsApp did not answer in time': ['O WhatsApp não respondeu a tempo', 'WhatsApp no respondió a tiempo'],
  'WhatsApp could not be reached': ['Não foi possível acessar o WhatsApp', 'No se pudo acceder a WhatsApp'],
  'WhatsApp does not accept the access token (WHATSAPP_TOKEN)': [
    'O WhatsApp não aceita o token de acesso (WHATSAPP_TOKEN)',
    'WhatsApp no acepta el token de acceso (WHATSAPP_TOKEN)',
  ],
  'WhatsApp is asked too often, and wants to be left alone{wait}': [
    'O WhatsApp recebeu pedidos demais{wait}',
    'WhatsApp recibió demasiadas solicitudes{wait}',
  ],
  'WhatsApp refuses: {reason}': ['O WhatsApp recusa: {reason}', 'WhatsApp rechaza: {reason}'],
  'WhatsApp refuses ({which})': ['O WhatsApp recusa ({which})', 'WhatsApp rechaza ({which})'],
  'WhatsApp has a fault of its own ({which})': [
    'O WhatsApp está com falha ({which})',
    'WhatsApp tiene una falla ({which})',
  ],
  'WhatsApp answered in a way that is not known ({which})': [
    'O WhatsApp deu uma resposta desconhecida ({which})',
    'WhatsApp dio una respuesta desconocida ({which})',
  ],
  'WhatsApp answered something that is not understood': [
    'O WhatsApp respondeu algo inesperado',
    'WhatsApp respondió algo inesperado',
  ],
  'WhatsApp could not deliver it': ['O WhatsApp não conseguiu entregar', 'WhatsApp no pudo entregarlo'],
  'WhatsApp could not deliver it: {reason}': [
    'O WhatsApp não conseguiu entregar: {reason}',
    'WhatsApp no pudo entregarlo: {reason}',
  ],
  'WhatsApp did not say what became of it': ['O WhatsApp não confirmou o envio', 'WhatsApp no confirmó el envío'],
  'the access token may not do this: it needs the permissions for WhatsApp messages and management': [
    'o token de acesso não tem as permissões de mensagens e de gestão do WhatsApp',
    'el token de acceso no tiene los permisos de mensajes y de gestión de WhatsApp',
  ],
  'this person cannot be written to by WhatsApp': [
    'esta pessoa não pode receber mensagens pelo WhatsApp',
    'esta persona no puede recibir mensajes por WhatsApp',
  ],
  'this number is not among those that a test number may write to': [
    'este número não está entre os permitidos para um número de teste',
    'este número no está entre los permitidos para un número de prueba',
  ],
  'the WhatsApp Business account is locked': [
    'a conta do WhatsApp Business está bloqueada',
    'la cuenta de WhatsApp Business está bloqueada',
  ],
  'the WhatsApp Business account has a problem with its payment': [
    'a conta do WhatsApp Business está com problema de pagamento',
    'la cuenta de WhatsApp Business tiene un problema de pago',
  ],
  'the number is not registered with the WhatsApp Business platform': [
    'o número não está registrado na plataforma WhatsApp Business',
    'el número no está registrado en la plataforma WhatsApp Business',
  ],
  'the person last wrote more than 24 hours ago: until they write again, WhatsApp takes only a template message': [
    'a pessoa escreveu há mais de 24 horas: até ela escrever de novo, o WhatsApp só aceita um modelo de mensagem',
    'la persona escribió hace más de 24 horas: hasta que vuelva a escribir, WhatsApp solo acepta una plantilla',
  ],
  'WhatsApp does not take this kind of message': [
    'o WhatsApp não aceita este tipo de mensagem',
    'WhatsApp no acepta este tipo de mensaje',
  ],
  'this person is known by a user name only, and this message needs a number': [
    'esta pessoa só é conhecida por um nome de usuário, e a mensagem precisa de um número',
    'de esta persona solo se conoce un nombre de usuario, y el mensaje necesita un número',
  ],
  'calls need a number that may write to 2,000 people or more a day': [
    'as chamadas exigem um número que possa escrever a 2.000 pessoas ou mais por dia',
    'las llamadas requieren un número que pueda escribir a 2.000 personas o más al día',
  ],
  'calls need the SIP server to be set on the number first': [
    'as chamadas exigem que o servidor SIP esteja definido no número',
    'las llamadas requieren que el servidor SIP esté definido en el número',
  ],
  'WhatsApp has flagged the number for its quality': [
    'O WhatsApp sinalizou o número por qualidade',
    'WhatsApp marcó el número por su calidad',
  ],
  'WhatsApp has limited how much the number may send': [
    'O WhatsApp limitou os envios deste número',
    'WhatsApp limitó los envíos de este número',
  ],
  'WhatsApp has restricted the number: it cannot begin conversations': [
    'O WhatsApp restringiu o número: ele não pode iniciar conversas',
    'WhatsApp restringió el número: no puede iniciar conversaciones',
  ],
  'The number is not registered with WhatsApp yet': [
    'O número ainda não está registrado no WhatsApp',
    'El número aún no está registrado en WhatsApp',
  ],
  'The number is not verified with WhatsApp yet': [
    'O número ainda não foi verificado no WhatsApp',
    'El número aún no está verificado en WhatsApp',
  ],
  'WhatsApp says that the number is not connected': [
    'O WhatsApp informa que o número não está conectado',
    'WhatsApp informa que el número no está conectado',
  ],
  'WhatsApp has banned the number': ['O WhatsApp baniu o número', 'WhatsApp bloqueó el número'],
  'The number was deleted from the WhatsApp Business account': [
    'O número foi excluído da conta do WhatsApp Business',
    'El número se eliminó de la cuenta de WhatsApp Business',
  ],
  'The number was moved to another WhatsApp Business account': [
    'O número foi movido para outra conta do WhatsApp Business',
    'El número se movió a otra cuenta de WhatsApp Business',
  ],
  'WhatsApp says of the number: {status}': [
    'O WhatsApp informa sobre o número: {status}',
    'WhatsApp informa sobre el número: {status}',
  ],
  "The server's WhatsApp account is for administrators and the users in WHATSAPP_USERS": [
    'A conta do WhatsApp é só para administradores e usuários em WHATSAPP_USERS',
    'La cuenta de WhatsApp es solo para administradores y los usuarios de WHATSAPP_USERS',
  ],
  'There are no calls: they need SIP_TLS_PORT, a certificate, and PUBLIC_ADDRESS with the name in it': [
    'Sem chamadas: elas exigem SIP_TLS_PORT, um certificado e PUBLIC_ADDRESS com o nome dele',
    'Sin llamadas: requieren SIP_TLS_PORT, un certificado y PUBLIC_ADDRESS con su nombre',
  ],
  'There are no calls: WhatsApp sends those to this number to another SIP server; take that away first': [
    'Sem chamadas: o WhatsApp envia as deste número a outro servidor SIP; remova-o primeiro',
    'Sin llamadas: WhatsApp envía las de este número a otro servidor SIP; quítelo primero',
  ],
  'There are no calls: WhatsApp does not send them to this server': [
    'Sem chamadas: o WhatsApp não as envia a este servidor',
    'Sin llamadas: WhatsApp no las envía a este servidor',
  ],
  'There are no calls: {reason}': ['Sem chamadas: {reason}', 'Sin llamadas: {reason}'],
  'The WhatsApp Business account has no such number': [
    'A conta do WhatsApp Business não tem este número',
    'La cuenta de WhatsApp Business no tiene este número',
  ],
  'The WhatsApp number of this server is {number}': [
    'O número de WhatsApp deste servidor é {number}',
    'El número de WhatsApp de este servidor es {number}',
  ],
  'This WhatsApp number belongs to another device already': [
    'Este número de WhatsApp já pertence a outro aparelho',
    'Este número de WhatsApp ya pertenece a otro dispositivo',
  ],
  'The device has no WhatsApp number': [
    'O aparelho não tem número de WhatsApp',
    'El dispositivo no tiene número de WhatsApp',
  ],
  'There is no text to send': ['Não há texto para enviar', 'No hay texto que enviar'],
  'there is no text to send': ['não há texto para enviar', 'no hay texto que enviar'],
  'the text is too long': ['o texto é longo demais', 'el texto es demasiado largo'],
  'the device is not connected': ['o aparelho não está conectado', 'el dispositivo no está conectado'],
  'the device is not connected: nothing is registered with it': [
    'o aparelho não está conectado: nada está registrado nele',
    'el dispositivo no está conectado: no hay nada registrado en él',
  ],
  'the device did not answer': ['o aparelho não respondeu', 'el dispositivo no respondió'],
  'the device could not be reached': ['não foi possível acessar o aparelho', 'no se pudo acceder al dispositivo'],
  'there is no such device': ['este aparelho não existe', 'este dispositivo no existe'],
  'there is no such device, or it is disabled': [
    'este aparelho não existe ou está desativado',
    'este dispositivo no existe o está desactivado',
  ],
  'The gateway did not answer in time': ['O gateway não respondeu a tempo', 'La pasarela no respondió a tiempo'],
  'The gateway service did not answer in time': [
    'O serviço de gateway não respondeu a tempo',
    'El servicio de pasarela no respondió a tiempo',
  ],
  'The connection to the gateway service broke': [
    'A conexão com o serviço de gateway caiu',
    'La conexión con el servicio de pasarela se cortó',
  ],
  'The gateway service cannot be reached': [
    'Não foi possível acessar o serviço de gateway',
    'No se puede acceder al servicio de pasarela',
  ],
  'The gateway service gave an answer that {fault}': [
    'O serviço de gateway deu uma resposta inválida ({fault})',
    'El servicio de pasarela dio una respuesta no válida ({fault})',
  ],
  'The gateway service refuses the session': [
    'O serviço de gateway recusa a sessão',
    'El servicio de pasarela rechaza la sesión',
  ],
  'The gateway service forbids it to this account': [
    'O serviço de gateway não permite isto para esta conta',
    'El servicio de pasarela no permite esto a esta cuenta',
  ],
  'The gateway service does not know the device': [
    'O serviço de gateway não conhece o aparelho',
    'El servicio de pasarela no conoce el dispositivo',
  ],
  'The gateway service does not know this device': [
    'O serviço de gateway não conhece este aparelho',
    'El servicio de pasarela no conoce este dispositivo',
  ],
  'The gateway service is still busy with the same request': [
    'O serviço de gateway ainda está processando o mesmo pedido',
    'El servicio de pasarela sigue procesando la misma solicitud',
  ],
  'The device is not connected': ['O aparelho não está conectado', 'El dispositivo no está conectado'],
  'The gateway service takes no more requests just now{wait}': [
    'O serviço de gateway não aceita mais pedidos agora{wait}',
    'El servicio de pasarela no acepta más solicitudes ahora{wait}',
  ],
  'The gateway service takes no more requests just now': [
    'O serviço de gateway não aceita mais pedidos agora',
    'El servicio de pasarela no acepta más solicitudes ahora',
  ],
  'The gateway service is out of order ({status})': [
    'O serviço de gateway está fora do ar ({status})',
    'El servicio de pasarela está fuera de servicio ({status})',
  ],
  'The gateway service refuses the request ({status})': [
    'O serviço de gateway recusa o pedido ({status})',
    'El servicio de pasarela rechaza la solicitud ({status})',
  ],
  'The gateway service answers with a status that is not expected ({status})': [
    'O serviço de gateway respondeu com um status inesperado ({status})',
    'El servicio de pasarela respondió con un estado inesperado ({status})',
  ],
  'The gateway service reports an error': [
    'O serviço de gateway informa um erro',
    'El servicio de pasarela informa un error',
  ],
  'No account of the gateway service is saved: save its email and password first': [
    'Nenhuma conta do serviço de gateway foi salva. Salve o e-mail e a senha primeiro',
    'No hay una cuenta del servicio de pasarela guardada. Guarde primero el correo y la contraseña',
  ],
  'The gateway service refuses the saved email and password: save them anew': [
    'O serviço de gateway recusa o e-mail e a senha salvos. Salve-os de novo',
    'El servicio de pasarela rechaza el correo y la contraseña guardados. Guárdelos de nuevo',
  ],
}
