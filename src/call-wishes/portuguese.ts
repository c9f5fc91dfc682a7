// What people called say about the call itself, in Portuguese: classes of words, and rules over them as in word-rules.ts.
import { wishRules } from './wish-rules.ts'

export const portuguese = wishRules(
  {
    third: `filha filho mae pai ele ela eles elas marido esposa mulher ninguem irma irmao namorado namorada gente carro computador
      modem som se quando quem`,
    callSubj: `ligue liguem ligues telefonem telefone chamem contatem contactem procurem perturbe perturbem incomodem incomode
      importunem encham encha entrem_em_contato entre_em_contato`,
    callInf: `ligar ligarem telefonar telefonarem contatar contatarem contactar procurar procurarem perturbar incomodar importunar
      chamar entrar_em_contato entrarem_em_contato voltar_a_ligar ficar_ligando ficarem_ligando`,
    callAny: `ligue liguem ligar ligarem ligando telefonar telefonem entrar_em_contato entrarem_em_contato entrem_em_contato entre_em_contato
      usar usarem contatar contatem procurem procurar incomodar incomodem`,
    annoy: 'perturba incomoda importuna enche perturbe incomode importune encha',
    lead: `quero queria gostaria desejo aceito que voce voces e era pra para precisa precisam pode podem deve devem me nos mais mesmo
      ninguem eu favor ces ce`,
    place: `para pra pro a o neste nesse este esse n_esse meu minha nosso mim gente casa aqui ca numero telefone celular comigo nao viu
      ta ok por_favor nunca jamais isso so nem de_novo novamente`,
    again: 'mais nunca_mais jamais de_novo outra_vez novamente',
    time: `hoje amanha cedo tarde tao vezes nesse_horario neste_horario esse_horario nessa_hora nesta_hora esta_hora nessa_semana essa_semana
      esta_semana nesta_semana esse_mes nesse_mes a_essa_hora a_esta_hora no_momento nesse_momento neste_momento de_manha pela_manha
      de_tarde a_tarde a_noite de_noite de_madrugada domingo domingos sabado sabados feriado no_domingo aos_domingos no_sabado
      aos_sabados no_feriado de_domingo de_sabado no_fim_de_semana fim_de_semana fins_de_semana antes depois ate enquanto no_trabalho
      no_servico no_horario na_hora em_horario durante quando por_enquanto por_ora toda_hora tanto as_* agora_obrigad* agora_por agora_nao
      agora_so agora_que agora_eu agora_to agora_estou`,
    calls: 'ligacao ligacoes chamada chamadas telefonema telefonemas contato contatos',
    permission: 'autorizacao permissao consentimento',
    refuse:
      'autorizo autorizei autorizou autoriza autorizamos permito permiti permite permitimos consinto consinta consenti admito aceito aceita aceitamos concordo',
    want: 'quero queria desejo gostaria pretendo aceito preciso preferia preferiria',
    between: `que voce voces a as o me nos mais nenhum nenhuma esse essa esses essas este esta estes estas desse dessa desses dessas da de
      das do dos tipo com pra para receber ficar ficarem continuar continuarem outro outra outros outras ninguem qualquer sua suas
      empresa eu em tanto tanta tantas todo toda todos todas santo dia hora por ter saber`,
    bother: `contatad* contactad* incomodad* perturbad* importunad* procurad* abordad*`,
    remove: `tira tire tirem tirar tirarem remova removam remove remover removerem exclua exclui excluam excluir excluirem apaga apague apaguem
      apagar apagarem retira retire retirem retirar risca riscar risquem risque deleta delete deletem deletar elimina elimine eliminem
      eliminar descadastra descadastre descadastrem descadastrar some suma limpa tirassem apagassem excluissem removessem deletassem`,
    mine: `meu_nome meus_dados meu_cadastro meu_contato meu_numero meu_telefone meu_celular meu_registro minhas_informacoes nosso_numero
      nosso_telefone minha_linha`,
    thisLine: `esse_numero este_numero esse_telefone este_telefone esse_celular este_celular esse_contato este_contato`,
    list: `lista listas base mailing cadastro cadastros sistema contatos agenda banco_de_dados telemarketing`,
    of: 'da do de das dos dessa desse desta deste na no',
    end: `eu dai disso ai todo todos pessoais agora imediatamente ja logo por_favor pelo_amor_de_deus moca moco tambem viu ta nao faz_favor favor
      completamente de_vez`,
    bad: 'antigo velho anterior fixo do_pedido da_reserva da_consulta da_compra da_nota do_boleto da_fatura do_serasa do_spc do_boleto',
    line: 'numero telefone celular contato linha chip',
    law: 'lgpd lei_geral_de_protecao',
    claim:
      'exijo exigir solicito peco meu_direito tenho_direito violando desrespeitando infringindo excluam apaguem exclusao apagar excluir',
    authority:
      'processo processar procon anatel denuncio denunciar policia advogado advogada justica bloquear bloqueio reclame_aqui',
    tired: 'nao_aguento_mais nao_suporto_mais chega basta cansei cansado cansada farto farta saco_cheio',
    died: 'faleceu morreu e_falecido e_falecida esta_falecido esta_falecida falecido falecida veio_a_falecer veio_a_obito veio_obito foi_a_obito',
    already: 'ja infelizmente tambem',
    asked: 'pedi falei disse avisei solicitei cansei_de_pedir',
    art: 'o a do da com seu dona senhor senhora nenhum nenhuma esse essa um uma de',
    shop: `padaria pizzaria farmacia loja oficina restaurante clinica escritorio escola igreja mercado salao empresa lanchonete
      acougue borracharia hospital hotel academia barbearia`,
    toOthers: `isso tanto pra_isso pra_essas pra_esse_tipo pra_essa pro_pai pro_seu pro_chefe pra_trabalho tao a_tv a_tel* a_luz a_maq* o_* para_o para_a pra_a`,
    they: `ele ela marido esposo esposa noivo noiva cunhado cunhada sobrinho sobrinha neto neta mulher mae pai filho filha irmao irma avo sogra sogro patrao patroa chefe doutor doutora dono dona
      titular namorado namorada tia tio primo prima seu dona_* senhor_*`,
    be: 'esta ta tava estava continua',
    away: `viajando dormindo trabalhando ocupado ocupada fora internado internada dirigindo descansando almocando jantando atendendo
      de_ferias de_cama ausente doente`,
    awayAt: `casa servico trabalho hospital banho medico escola faculdade rua igreja academia roca praia viagem reuniao mercado banco
      dentista shopping ginasio padaria plantao aula obra`,
    myPlace: `servico trabalho hospital banho medico escola faculdade rua igreja academia praia reuniao mercado banco dentista aula
      transito onibus metro carro velorio cinema almoco plantao volante enterro consulta viagem ligacao`,
    begin: `oi olha entao mas e ah ai bom por_favor favor moca moco so agora amanha nao depois mais_tarde pode poderia podem me nos
      melhor ja logo voce voces vc`,
    call: 'liga ligue liguem retorna retorne retornem telefona telefone telefonem procure procura procurem chame',
    toCall: 'ligar ligarem ligando retornar retornarem telefonar procurar dar_uma_ligada chamar conversar_comigo',
    ask: `pode podem poderia poderiam consegue conseguem tem_como da_pra da_para dava_pra sera_que_da quer melhor prefiro
      prefere podia preferia gostaria`,
    later: `mais_tarde depois outr* amanha segunda terca quarta quinta sexta sabado domingo semana_que_vem proxima daqui_a a_noite
      de_noite a_tarde de_tarde de_manha pela_manha noutr*`,
    talk: 'falar conversar falamos conversamos fala conversa ver_isso resolver_isso marcar remarcar deixar_pra deixa_pra',
    now: 'agora hoje nesse_momento neste_momento no_momento',
  },
  {
    optOut: `
      $mine fosse|seja|sejam|fossem retirad*|removid*|excluid*|apagad*|tirad* $end~2 .
      $mine fosse|seja|sejam|fossem retirad*|removid*|excluid*|apagad*|tirad* $of ~2 $list|voces
      ligam ~8 parem|para|pare com isso .
      pra|para|de|favor nao me|nos? ligar|ligarem $again
      mais ~4 nem me? ligue|liguem|telefone
      nao|num|nunca $lead~6 $callSubj $place~6 $again !$time
      nao|num $lead~6 $again $lead~4 $callSubj !$time
      nao|num $lead~6 me|nos $callInf $place~6 $again !$time
      nao entre|entrem|entrar|entrarem mais em_contato !$time
      pra|para|favor voce|voces? nao me|nos? ligar|ligarem|telefonar mais !$time
      nao|num $lead~4 mais $lead~4 me|nos $callInf !$time
      nao e|era|precisa|precisam $lead~5 $callInf $place~6 $again !$time
      nao e|precisa|precisam mais $lead~4 $callInf !$time
      nao $lead~5 $callSubj $place~6 .
      nunca mais $lead~5 $callSubj|liga|ligar|ligarem
      $callSubj|liga|ligar $place~4 nunca_mais
      nao me|nos $callInf nunca|jamais
      nao me|nos liga $place~4 $again !$time
      ^ ~4 nao liga $again !$time|o|a_tv
      nao liga $again aqui|pra_ca|pra_mim|pra_esse|nesse|neste
      isso|obrigad*|interessad*|ocupad*|favor|interesse|tchau|chega|bom|ta|ok|saco|merda nao liga $again !$time|o
      ^ ~2 nao me|nos? $annoy mais !$time
      e|dai nao me $annoy mais !$time
      nao e pra|para ~3 ligar|ligarem|telefonar aqui|nunca
      nao liga amanha|hoje|agora nem ~3 nem nunca
      nao quero ~2 liguem e pronto
      pare|parem|para|pararem|parar de me|nos $callInf|ligar|encher|incomodar|perturbar !$toOthers
      pare|parem|para|pararem|parar de ligar|telefonar|encher|incomodar|perturbar|importunar !$toOthers
      pare|parem|para de me mandar ~3 de_me_ligar|ligar
      deixa|deixe|deixem de ~1 me ligando|ligar
      me|nos|gente|eu deixa|deixe|deixem|deixam em_paz
      deixa|deixe|deixem a_gente|eu|me em_paz
      ^ ~2 me esquece|esqueca|esquecam .
      esquece|esqueca|esquecam que_eu_existo
      esquece|esqueca|esquecam do|o? meu numero|telefone|contato !d*
      $remove ai|ja|logo|o|a|os|as|todos|todas|com~3 $mine|$thisLine $end~4 .
      $remove ai|ja|logo|o|a|os|as|todos|todas|com~3 $mine|$thisLine $end~4 $of|dai ~2 $list|voces
      $remove ai|ja|logo|o|a|os~3 meu_numero|meu_telefone|meu_contato|meu_celular|$thisLine !$bad
      $remove me|eu|a_gente $of ~2 $list
      me|nos $remove $of ~2 $list
      me $remove $of ~2 ligacao|ligacoes|telemarketing|propaganda
      peco|pedi|pedir pra|para|que voces? nao me? ligar|ligarem|ligassem
      me $remove dai|disso $end~3 .
      me descadastr*
      descadastr* me|meu
      quero descadastrar
      sair|sai|saio $of ~2 lista|listas|mailing|base|cadastro
      ser removid*|excluid*|retirad*|tirad* $of ~2 $list
      $mine|meus_dados fora $of ~2 $list
      exclusao|remocao|eliminacao|retirada d* ~2 meus_dados|meu_numero|meu_telefone|meu_nome|meu_cadastro|dados !antig*
      bota|coloca|poe|coloque ~3 na lista de quem_nao_quer
      nao|nunca ~2 $refuse $between~7 ter meu_numero|meu_telefone|meus_dados
      ligaram|ligam ~8 chega .
      proibo ~3 $callAny
      nao|nunca ~2 $refuse $between~7 $calls|$callAny !a_cobrar
      ninguem ~2 autorizou $between~7 $calls|$callAny
      nao ~1 dou|dei ~2 $permission $between~7 $calls|$callAny
      nao|sem tem|tenho|ter? o|a|minha|meu|nenhuma~2 $permission $between~5 $callAny
      nao te autorizo $between~5 $callAny
      lig* ~2 sem a|o|minha|meu~2 $permission
      sem ~2 $permission ~3 lig*
      voces nao podem me? ligar ~2 sem
      revogo|retiro|revogar|retirar ~2 consentimento
      revogo|retiro|cancelo|revogar|retirar|cancelar ~2 $permission ~6 $callAny
      me oponho ~8 numero|dados|ligacoes|contato
      nao $want mais|de|nunca|jamais|que|eu|voltar_a~3 ser mais? $bother !agora|hoje|nesse|nessa|neste|nesta|amanha|por_e
      nao $want mais|de|nunca~3 ser mais? chamad*|ligad* mais|de_novo
      nao $want mais|de|nunca~3 ser mais? chamad*|ligad* .
      nao $want mais|que|voce|voces|ninguem|me|nos~3 $callSubj|entrar_em_contato ~2 !$time|agora .
      nao $want $between~6 mais $between~6 $calls !$time|com
      nao $want $between~6 $calls nenhum*|mais !agora
      nao $want mais? receber $between~5 $calls !$time|com|da_minha|do_meu|gravad*
      nao $want esse|essas|suas|nenhuma|nenhum|tipo|de|desse~3 $calls de|da voces|empresa
      nao $want nenhuma|nenhum $calls
      nao $want $calls de_voces|nenhum*|mais|sua|suas
      nao $want saber $between~5 $calls
      preferia|preferiria nao receber $between~5 $calls
      bloqueia|bloqueie|bloqueiem|bloquear ai|logo|ja|o|a~3 meu|minha|nosso|esse|este|essa $line
      $tired $between~6 ligacao|ligacoes|chamadas|telefonemas|me_ligar
      para|pare|parem|parar com $between~4 ligacao|ligacoes|chamadas|telefonemas
      $tired de? voce|voces|gente|empresa me|nos|toda_hora~2 ligando|ligarem|ligam
      cancela|cancele|cancelem|cancelar|suspende|suspenda|suspendam|suspender|encerra|encerrem|encerre as|essas|todas|os|esses|com|esse~3 ligacoes|chamadas|telefonemas|contatos|contato_comigo !em_espera|perdid*
      cansa|cansam de ligar nao
      vao|vai encher o_saco de_outro
      meu numero ~3 nao_me_pertur*|nao_pertur*
      lista|cadastr*|inscrit*|site|registr* ~3 nao me? pertur*
      ja $asked ~3 para|pra|que voce|voces? nao me|nos|mais~2 ligar|ligarem|ligassem|ligue|liguem|telefonar !$time
      ja $asked ~3 para|pra|que voce|voces? parar|pararem
      ja $asked ~2 que nao_quero ~2 $calls
      chega de $calls|me_ligar
      se|vez_que ~3 lig*|continuarem_ligando|continuarem_me_ligando|continuar_ligando|insistir|insistirem ~8 $authority
      $authority|denunciar_voces|bloquear_voces ~4 se ~3 ligarem|continuarem_ligando|continuarem_me_ligando|ligar
      $law ~8 $claim
      $claim ~8 $law`,
    notOptOut: `
      vou|preciso|devo|queria parar
      vou|quero|queria|preciso|como bloquear meu|o|minha numero|celular|chip|telefone|linha
      coloca|coloque|colocar|poe|ponha|bota|botar|troca|troque|trocar|atualiza|atualize|atualizar !~3_na_lista o|a|novo|outro|meu_novo
      outro numero
      novo numero
      numero novo
      por enquanto|ora
      $callSubj|$callInf|liga|ligacao|ligacoes|chamada $place~6 mais? $time !nem
      $third ~1 nao ~1 me? liga
      nao me? liga ~1 $time !nem
      antes|depois|fora de|do hor*
      ate as
      apos|durante
      de madrugada
      grav*
      por e_mail|email|mail
      so de|pela|a manha|tarde|noite
      roub*|furt*|assalt*
      perdi
      esper* 
      caindo|cair
      desconto
      nao precisa ligar eu`,
    asks: `
      por_que|porque|quando|vao|vai|sera_que|quem`,
    wrongPerson: `
      errou o|de numero|telefone !d*
      ele|ela|@ trocou|mudou de numero|telefone
      ele|ela|@ nao usa|tem mais $thisLine
      nao e ele|ela quem|que|falando fala|ta|esta|falando|.
      nao|nem sei quem e ess* pessoa|senhor|senhora|homem|mulher|cara|moco|moca !que
      nao sou quem voce|voces|ce|o_senhor|a_senhora
      ^ ~2 <o|meu numero|telefone errado !de
      ligou|ligaram|discou|discaram|ligando|e|ligado no|pro|para_o? numero|lugar? errado|errada|enganado .
      ligou|ligaram|discou|discaram|ligando enganado|errado
      ligou|ligaram|discou|discaram|ligando pro|no|o|para_o numero|telefone errado
      foi|e|deve_ser|um|ter_sido|so_pode_ser engano
      ^ engano .
      lig*|procur*|falando|busc* ~3 pessoa errada
      e a? pessoa errada
      ^ ~2 pessoa errada .
      nao sou eu !que|quem|o|a|mesm*|sozinh*
      nao sou essa|esse|esta|a pessoa !certa|indicada|responsavel|que_decide|que_cuida|que_resolve
      nao sou eu essa_pessoa
      nao conheco essa|esse|ninguem|nenhuma ~1 pessoa|senhor|senhora|homem|mulher|moca|moco|com_ess*|chamad*
      nao conheco quem_e
      nao|nem tem|ha|existe|mora|conheco ninguem|nenhuma_pessoa|alguem aqui? com_ess*|com_est*|por_ess*|chamad*|que_se_chama|que_se_chame
      ninguem aqui? com_esse_nome|com_este_nome|se_chama
      $thisLine nao|ja_nao e|pertence mais? dele|dela|de|do|da|a|ao|desse|dessa
      $thisLine nao_e_mais
      nao|ja_nao e mais? o? numero|telefone|celular dele|dela|do|da|de|desse|dessa
      nao|ja_nao mora|reside|vive|trabalha mais? aqui|nesse|neste|nessa|nesta
      aqui nao mora|reside|vive
      aqui nao trabalha nenhum|nenhuma
      nao_e|nao_e_mais $thisLine nao
      aqui e de? uma|um ~1 $shop
      esse|essa ~1 trocou de numero
      $thisLine|esse_celular ~3 agora ta|esta comigo
      linha|numero|chip ~1 foi transferid* pra_mim
      ligam|ligando ~1 atras dess*|dest*
      nao sei quem e $art~1 @
      nao sou|e|me_chamo|conheco|tem|existe|mora $art~3 @
      nao tem|existe|mora ~2 @`,
    notWrongPerson: `
      passei|passou|dei|anotei|anotou|coloquei|colocou|digitei|digitou|escrevi|pedido|protocolo|cpf|rg|cartao|endereco|conta|boleto
      nota|contrato|salvei|cadastrei|informei|porta|apartamento|cep|senha|fatura|assinou|cadastro
      numero d* casa
      nao foi|e engano
      sou eu que|quem
      @ ~2 que|quem
      disse que`,
    gone: `
      ele|ela|titular|dono|dona $already~2 $died
      esse|essa|este|esta|o|a pessoa|senhor|senhora $already~2 $died
      seu|dona ~1 $died
      ^ $already|olha|entao|moca|moco|nao|bom~3 faleceu|morreu ja|faz|ano|mes|semana|ha|em|recentemente|ontem
      comprei|peguei|adquiri|ganhei|recebi|comprou esse|essa|este|esta|o_chip|esse_chip chip|linha|numero !de|da|do|com|no|na|pel*
      comprei o_chip faz|agora
      $thisLine|esse_chip|este_chip e|esta|ta novo .
      $thisLine|esse_chip|este_chip e|esta|ta novo moc*|compr*|peg*|faz|agora|nao
      agora $thisLine|essa_linha|esse_chip e meu|minha
      $thisLine|essa_linha agora e meu|minha
      $thisLine|essa_linha e meu|minha agora|ha|faz|desde
      $thisLine|essa_linha passou_a_ser meu|minha
      $thisLine|essa_linha|esse_chip era|pertencia|foi de|da|do|a outr*|alguem|antig*|minha_ex|meu_ex
      novo|nova|antigo|antiga dono|dona|proprietari*|usuari* d* $line
      dono|dona antigo|antiga
      nao esta|ta mais entre_nos
      @ $already~2 $died
      nao existe|trabalha|mora|vive|ha nenhum|nenhuma|mais|aqui~2 @
      nao tem $art~1 @ !no_boleto|silva_no`,
    isMe: `
      <nao|nem|num sou eu
      pode falar !com
      e|sou ele|ela|eu mesm*
      engano meu|nosso|seu
      engano foi meu
      comigo mesmo`,
    handsOver: `
      vou|posso|deixa_eu|quer_que_eu|ja|deixe_eu chamar|chama|passar|ver_se|avisar|anotar
      so? um momento|momentinho|minuto|minutinho|instante|segundo
      ele|ela ja|so? volta|chega|saiu|esta|ta|nao_esta|nao_ta|foi|viajou
      sou a|o? esposa|mulher|marido|mae|pai|filho|filha|irma|irmao|secretari*|assistente|namorad*|sobrinh*|net*|cuidador*|sogr*|avo`,
    callback: `
      pode ser mais_tarde|mais_pro|depois|outr*|noutr*|amanha
      tenta|tente|tentem ligar? mais_tarde|depois|de_novo|amanha|outr*|noutr*
      me chama|chame na|no|as|amanha|depois|mais_tarde|daqui|segunda|semana
      $ask ~2 falar comigo ~1 $later
      posso ~2 atender|falar so? depois|mais_tarde|amanha
      me da um toque|alo|retorno
      ^ $begin? $begin? $begin? me|nos? $call !o|os|as|a_tel*|a_tv|a_luz|isso|pra_isso|pra_essas|pra_essa|pro|para_o|quando_quiser
      me|nos $call ~1 $later|as|depois|na|no|em|de|daqui|dia|la
      que|se ~2 me|nos $call
      $ask|que ~2 me|nos|voce|voces? $toCall !o|os|as|quando_quiser|com
      $ask ~2 me|nos? $toCall ~2 $later|as|dia
      $later ~1 me $call
      $ask|a_gente|vamos ~3 $talk ~3 $later
      $talk $later
      mais_tarde|depois a_gente $talk
      me da|da_me|dar uma ligada|ligadinha|chamada
      ^ $begin? outra hora|dia .
      ^ $begin? $begin? $call ~2 $later|as`,
    absent: `
      $they ~1 nao $be .
      $they ~1 nao $be em_casa|aqui|ai|hoje|disponivel|comigo|mais_aqui|$now|nao|moca|moco|senhor*|viu
      ^ ~2 nao $be em_casa|no_momento
      ^ nao $be .
      nao se encontra
      $they ~1 $be ~1 $away
      $they ~1 $be ~1 no|na|em|num|numa|pro|pra ~1 $awayAt !nov*
      $they ~1 saiu !do|da|de|no|na
      $they ~1 deu|foi_dar uma saida|saidinha|volta
      $they ~1 viajou
      $they ~1 acabou_de sair
      ^ ~1 e|sou|aqui_e o|a $they dele|dela .
      $they ~1 foi no|na|ao|a|pro|pra|buscar|trabalhar|levar ~1 $awayAt|trabalhar
      $they ~1 nao pode ~1 atender|falar
      $they ~1 so|ainda? volta|chega|retorna
      $they ~1 nao chegou|voltou
      $they esqueceu o celular|telefone
      quer|quiser|posso ~2 deixar|anotar ~1 recado
      deixar|anota|anotar um|o recado
      nao tem ninguem em_casa`,
    busy: `
      to|tou|estou|estava|tava|estamos !*ndo_com ~1 dirigindo|ocupad*|enrolad*|atolad*|atrapalhad*|trabalhando|almocando|jantando|cozinhando|viajando|dormindo|atendendo
      to|tou|estou ~1 no|na|num|numa|em|dentro_do ~1 $myPlace
      agora|hoje nao da|posso|consigo|vai_dar|rola
      nao da|posso|consigo|vou_poder ~1 falar|conversar|atender|$now
      nao posso|consigo $now
      nao e ~1 uma|um|o ~1 bom|boa|melhor momento|hora
      agora ~1 ruim|pessimo|complicado|dificil
      momento ruim|pessimo
      nao tenho|to_com|estou_com tempo
      sem tempo`,
    notRequest: `
      eu|a_gente|nos te|lhe|vos? lig*|retorn*
      eu|eu_mesmo|depois_eu lig*|retorn*
      nao|nunca|nem ~3 $call|$toCall
      eu|marido|esposa|filh*|ele|ela|mae|pai|ninguem|voces ~2 nao ~1 liga
      me chamar|chama|chame de
      carro|computador|modem|televisao|tv|celular|som nao? lig*
      me $call o|os|as
      da_entrega|a_entrega|instalacao|boleto|fatura`,
  },
)
