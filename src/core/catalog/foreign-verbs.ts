import { wordsOf } from './english-verbs.ts';

/** Verbs of one language as tools use them: in the third person, the imperative and the infinitive. */
interface Language {
  /** Verbs that write, send, destroy or spend, and are hardly anything else. */
  readonly sure: string;
  /** Verbs that are nouns or mean something else as well: they count before an article, never in a name. */
  readonly doubtful: string;
  readonly looking: string;
  readonly articles: string;
  readonly and: string;
}

const languages: Readonly<Record<string, Language>> = {
  german: {
    sure:
      'löscht lösche löschen entfernt entferne entfernen sendet sende senden versendet versende versenden verschickt verschicke verschicken schickt schicke schicken ' +
      'erstellt erstelle erstellen aktualisiert aktualisiere aktualisieren ändert ändere ändern speichert speichere speichern überweist überweise überweisen ' +
      'bestellt bestelle bestellen kauft kaufe kaufen verkauft verkaufe verkaufen bezahlt bezahle bezahlen storniert storniere stornieren kündigt kündige kündigen ' +
      'bucht buche buchen überschreibt überschreibe überschreiben veröffentlicht veröffentliche veröffentlichen sperrt sperre sperren entsperrt entsperre entsperren ' +
      'archiviert archiviere archivieren verschiebt verschiebe verschieben beendet beende beenden deaktiviert deaktiviere deaktivieren aktiviert aktiviere aktivieren ' +
      'installiert installiere installieren genehmigt genehmige genehmigen lehnt leert leere leeren widerruft widerrufe widerrufen beantragt beantrage beantragen beauftragt beauftrage beauftragen reserviert reserviere reservieren ' +
      'hinzufügen anlegen aufgeben abschicken absenden hochladen umbenennen zurücksetzen vernichtet vernichte vernichten benachrichtigt benachrichtige benachrichtigen eskaliert eskaliere eskalieren anmelden abmelden eintragen einreichen zuweisen umbuchen abbestellen ausleihen verlängert verlängern registriert registriere registrieren erteilt erteilen',
    doubtful: 'legt fügt bricht startet stoppt ersetzt trägt schließt zahlt schaltet',
    looking:
      'listet liste listen auflisten zeigt zeige zeigen anzeigen holt hole holen abrufen sucht suche suchen findet finde finden liest lese lesen prüft prüfe prüfen gibt berechnet berechne berechnen ruft vorschau',
    articles:
      'der die das den dem des ein eine einen einem einer alle diese diesen dieses ihre ihren neue neuen es sie ihn',
    and: 'und oder sowie dann',
  },
  french: {
    sure:
      'supprime supprimer supprimez efface effacer envoie envoyer envoyez crée créer créez enregistre enregistrer achète acheter annule annuler annulez ' +
      'détruit détruire publie publier réserve réserver désactive désactiver ajoute ajouter rembourse rembourser ' +
      'archive archiver déplace déplacer renomme renommer écrase écraser résilie résilier soumet soumettre vend vendre redémarre redémarrer vire transfère transférer ' +
      'notifie notifier écrit écrire approuve approuver rejette rejeter retire retirer purge purger vide vider débite débiter téléverse téléverser inscrit inscrire inscris inscrivez désinscrit désinscrire affecte affecter attribue attribuer clôture clôturer émet émettre dépose déposer confirme confirmer',
    doubtful:
      'demande demander programme commande commander modifie modifier paie paye payer active activer met mettre bloque bloquer ferme fermer facture facturer change changer remplace remplacer réinitialise',
    looking:
      'liste lister affiche afficher obtenir obtient cherche chercher recherche rechercher trouve trouver voir lit lire récupère récupérer consulte consulter retourne retourner renvoie vérifie vérifier aperçu',
    articles: 'le la les un une des du ce cette ces votre vos tous toutes nouveau nouvelle l d',
    and: 'et ou puis',
  },
  spanish: {
    sure:
      'elimina eliminar elimine borra borrar borre envía enviar envíe crea crear cree actualiza actualizar actualice modifica modificar modifique guarda guardar guarde paga pagar ' +
      'comprar cancela cancelar cancele anula anular anule suprime suprimir añade añadir agrega agregar publicar transfiere transferir archiva archivar mueve mover renombra renombrar ' +
      'sobrescribe sobrescribir desactiva desactivar activa activar bloquea bloquear desbloquea desbloquear reinicia reiniciar reembolsa reembolsar vende vender aprueba aprobar ' +
      'solicita solicitar solicite encarga encargar contrata contratar rechaza rechazar restablece restablecer notifica notificar reservar cobrar registrar inscribe inscribir sube subir vacía vaciar destruye destruir escala escalar escribe escribir asigna asignar edita editar matricula matricular emite emitir confirma confirmar traslada trasladar entrega entregar',
    doubtful:
      'programa agenda ordena lanza dispara compra publica reserva cobra cambia cambiar marca marcar cierra cerrar pide pedir registra inicia detiene',
    looking:
      'lista listar muestra mostrar obtiene obtener busca buscar consulta consultar ver lee leer devuelve devolver encuentra encontrar calcula calcular verifica verificar comprueba comprobar',
    articles: 'el la los las un una unos unas este esta estos estas su sus todos todas nuevo nueva al lo',
    and: 'y e o u luego',
  },
  portuguese: {
    sure:
      'solicita solicitar solicite exclui excluir exclua apaga apagar apague envia enviar envie cria criar crie atualiza atualizar atualize salva salvar salve remove remover altera alterar altere deleta deletar ' +
      'adiciona adicionar grava gravar cancela cancelar arquiva arquivar renomeia renomear transfere transferir bloqueia bloquear desbloqueia desbloquear desativa desativar ' +
      'ativa ativar reinicia reiniciar reembolsa reembolsar vende vender aprova aprovar rejeita rejeitar notifica notificar agenda agendar cadastra cadastrar insere inserir publicar comprar pagar guarda guardar reservar edita editar inscreve inscrever matricula matricular emite emitir confirma confirmar atribui atribuir',
    doubtful: 'marca marcar fecha fechar compra paga cobra publica reserva agenda muda mudar move guarda registra',
    looking:
      'lista listar mostra mostrar obtém obter busca buscar consulta consultar ver lê ler exibe exibir retorna retornar encontra encontrar calcula verifica verificar',
    articles: 'o a os as um uma este esta seu sua todos todas novo nova ao',
    and: 'e ou depois',
  },
  italian: {
    sure:
      'elimina eliminare cancella cancellare invia inviare spedisce spedire crea creare aggiorna aggiornare modificare salvare acquista acquistare pagare annulla annullare rimuove rimuovere ' +
      'rimuovi pubblicare trasferisce trasferire archivia archiviare sposta spostare rinomina rinominare sovrascrive sovrascrivere disattiva disattivare attivare blocca bloccare sblocca sbloccare ' +
      'riavvia riavviare rimborsa rimborsare vende vendere approva approvare rifiuta rifiutare aggiunge aggiungere aggiungi scrivere prenotare svuota svuotare iscrive iscrivere caricare emette emettere assegna assegnare conferma confermare ordinare',
    doubtful:
      'modifica salva paga prenota pubblica attiva chiude chiudere registra imposta cambia scrive notifica compra',
    looking:
      'elenca elencare mostra mostrare cerca cercare ottiene ottenere ottieni legge leggere visualizza visualizzare restituisce trova trovare calcola verifica verificare',
    articles: 'il lo la i gli le un uno una questo questa tutti tutte nuovo nuova l',
    and: 'e o poi',
  },
  dutch: {
    sure:
      'verwijdert verwijder verwijderen verstuurt verstuur versturen verzendt verzend verzenden wijzigt wijzig wijzigen bewaart bewaren betaalt betalen annuleert annuleer annuleren maakt aanmaken ' +
      'stuurt sturen koopt kopen verkoopt verkopen boekt boeken bestelt bestellen wist wissen overschrijft overschrijven verplaatst verplaatsen hernoemt hernoemen ' +
      'reserveert reserveren blokkeert blokkeren publiceert publiceren archiveert archiveren toevoegen bijwerken opslaan uitschakelen opzeggen aanmelden afmelden inschrijven schrijft indienen bevestigt bevestigen toewijzen aanvragen inplannen',
    doubtful: 'voegt werkt slaat sluit start stopt boek bestel koop',
    looking:
      'lijst toont toon tonen zoekt zoek zoeken haalt haal ophalen leest lees lezen geeft geef vindt vind controleert bekijk bekijken',
    articles: 'de het een deze dit alle nieuwe uw je hem',
    and: 'en of dan daarna',
  },
  polish: {
    sure:
      'usuwa usuń usunąć wysyła wyślij wysłać tworzy utwórz utworzyć stwórz aktualizuje zaktualizuj aktualizuj zapisuje zapisz zapisać zmienia zmień zmienić anuluje anuluj anulować kasuje skasuj ' +
      'kupuje kup kupić sprzedaje sprzedaj dodaje dodaj dodać rezerwuje zarezerwuj zamawia zamów opłaca opłać płaci zapłać przelewa przelej publikuje opublikuj blokuje zablokuj przenosi przenieś nadpisuje wyłącza wyłącz włącza włącz edytuje edytuj resetuje zresetuj zgłasza zgłoś rejestruje zarejestruj wystawia wystaw potwierdza potwierdź odwołuje odwołaj przydziela przydziel składa złóż',
    doubtful: '',
    looking:
      'lista listuje pokazuje pokaż wyświetla wyświetl pobiera pobierz szuka szukaj wyszukuje wyszukaj znajduje znajdź czyta odczytuje zwraca sprawdza sprawdź',
    articles: '',
    and: 'i oraz lub albo',
  },
  czech: {
    sure:
      'smaže smazat smaž odstraní odstranit odešle odeslat odešli vytvoří vytvořit vytvoř uloží uložit ulož změní změnit změň upraví upravit uprav zruší zrušit zruš zaplatí zaplatit zaplať ' +
      'koupí koupit prodá prodat objedná objednat objednej rezervuje rezervovat zarezervuje přidá přidat přidej zapíše zapsat přihlásí přihlásit odhlásí odhlásit zveřejní přejmenuje přesune přesunout zablokuje',
    doubtful: '',
    looking: 'vypíše vypsat zobrazí zobrazit najde najít hledá hledat vrátí přečte přečíst ukáže ukázat spočítá ověří',
    articles: '',
    and: 'a nebo potom',
  },
  scandinavian: {
    sure:
      'sletter slett slette sletta sender sende oppretter opprett opprette oppdaterer oppdater oppdatere lagrer lagre endrer endre avbestiller avbestill bestiller bestill bestille betaler betale kjøper kjøpe selger ' +
      'fjerner fjern fjerne tar_bort raderar radera skapar skapa uppdaterar uppdatera sparar spara ändrar ändra avbokar avboka beställer beställ beställa betalar köper säljer skickar skicka bokar boka ' +
      'opretter oprette opdaterer opdatere gemmer gemme sletter ændrer ændre annullerer annullere flytter flytte registrerer registrera registrere publiserer publicerar reserverer reservera blokkerer',
    doubtful: '',
    looking:
      'viser vis visar visa henter hent hämtar hämta lister listar søker søk finner finn söker hitta beregner leser läser læser',
    articles: 'en et ett den det de alle alla',
    and: 'og och eller så',
  },
  turkish: {
    sure: 'siler silin oluşturur oluşturun gönderir gönderin günceller güncelleyin kaydeder kaydedin değiştirir iptal_eder satın_alır öder ödeyin rezervasyon_yapar ekler ekleyin kaldırır kaldırın yayınlar engeller',
    doubtful: '',
    looking: 'listeler gösterir getirir bulur arar okur döndürür hesaplar',
    articles: 'bir bu tüm',
    and: 've veya sonra',
  },
  russian: {
    sure:
      'удаляет удалить удали удалите удаление удаления отправки создания изменения обновления отмены отправляет отправить отправь отправка создаёт создает создать создай создание обновляет обновить обнови обновление изменяет изменить измени изменение ' +
      'сохраняет сохранить сохрани оплачивает оплатить покупает купить отменяет отменить отмени отмена продаёт продает продать заказывает заказать бронирует забронировать переводит перевести ' +
      'публикует опубликовать добавляет добавить добавь добавление редактирует редактировать переименовывает переименовать очищает очистить блокирует заблокировать записывает записать списывает списать ' +
      'стирает стереть закрывает закрыть перезаписывает перемещает переместить отключает отключить включает перезапускает перезапустить архивирует эскалирует уведомляет возвратить устанавливает регистрирует зарегистрировать подтверждает подтвердить назначает назначить оформляет оформить',
    doubtful: '',
    looking:
      'показывает показать получает получить список ищет найти находит поиск читает прочитать возвращает выводит просмотр проверяет проверить',
    articles: '',
    and: 'и или затем',
  },
};

/** Verbs that count in names only: in Latin letters though their language is not, and the beginning of `mettre_a_jour`. */
const romanized =
  'mettre udalit udalyaet udali otpravit otpravlyaet sozdat sozdaet obnovit izmenit sohranit oplatit kupit prodat otmenit zakazat dobavit zabronirovat ' +
  'shanchu fasong chuangjian xiugai gengxin quxiao fabu zhifu goumai sakujo soushin sakusei henkou koushin';
const romanizedLooking =
  'pokazat spisok nayti naiti poluchit prosmotr poisk chaxun huoqu liebiao sousuo kensaku ichiran shutoku';

/** Verbs that in an English name are other words, or are so in another language. */
const otherWordsInNames = wordsOf(
  'archive purge vide wist remove move mover agenda vire retire transfere sube escala leere buche activa activar vender vende cree kup active archiver notifier enregistre lehnt maakt retirer publie liste lista guarda',
);

/** Returns a word without its accents. */
const fold = (word: string): string =>
  /\p{Script=Latin}/u.test(word)
    ? word.replaceAll('ß', 'ss').replaceAll('ł', 'l').normalize('NFD').replaceAll(/\p{M}/gu, '')
    : word;
/** Returns the ways in which a verb is written: with its accents, without them, and with German ones in two letters. */
const spellings = (word: string): string[] => [
  word,
  fold(word),
  fold(word.replaceAll('ä', 'ae').replaceAll('ö', 'oe').replaceAll('ü', 'ue')),
];
const spellingsOf = (list: string): Set<string> =>
  new Set(
    list
      .split(' ')
      .filter((word) => word !== '')
      .flatMap(spellings),
  );
const all = (part: keyof Language): Set<string> =>
  spellingsOf(
    Object.values(languages)
      .map((language) => language[part])
      .join(' '),
  );

const sure = all('sure');
const doubtful = all('doubtful');
const articles = all('articles');
const joining = all('and');
const looking = new Set([...all('looking'), ...romanizedLooking.split(' ')]);
const inNames = new Set([...sure, ...romanized.split(' ')].filter((word) => !otherWordsInNames.has(word)));
/** Infinitives that end a short command: "Auftrag löschen", "bestelling verwijderen". */
const finalInfinitives = new Set(
  [...spellingsOf(languages['german']?.sure ?? ''), ...spellingsOf(languages['dutch']?.sure ?? '')].filter((word) =>
    word.endsWith('en'),
  ),
);
/** Words by which a sentence says what is not done, or only might be. */
const denying = wordsOf(
  'nicht nichts kein keine keinen ohne würde würden ne pas rien sans aucun aucune no sin nada non senza nulla não nao sem niet geen niets zonder nie bez nic не без ничего бы wie comment como come hoe jak как',
);

/** Returns whether a word of a name is a verb of another language that changes something, or looks at things; null if neither. */
export const foreignVerbOfNameOrNull = (word: string): 'changes' | 'looks' | null => {
  if (inNames.has(word)) return 'changes';
  return looking.has(word) ? 'looks' : null;
};

/** Words before the verb of a description in other languages. */
const introductions = wordsOf(
  'outil permet de werkzeug zum tool herramienta para permite ferramenta strumento per инструмент для narzędzie do cet cette esta este dieses diese deze questo hulpmiddel om te d l',
);

/** Verbs that make something, which may only be returned, and what that is. */
const making =
  /^(?:erstell|crea|cré|cree|cria|maak|aanmaken|tworz|utwórz|stwórz|созда|schreib|écri|escri|scriv|añad|agreg|ajout|adicion|aggiung)/u;
const returned =
  /^(?:diagramm|grafik|chart|graph|hash|bild|zusammenfassung|gedicht|gráfic|grafic|diagrama|resum|imagen|imagem|immagin|riassunt|riepilog|poema|résumé|image|poème|grafiek|samenvatting|afbeelding|wykres|obraz|podsumowani|график|диаграмм|хеш|изображени|резюме|стих)/u;
const ofAText =
  / (?:aus|in|von) (?:einem|einer|dem) (?:text|zeichenkette)| d['e ]*(?:un|une|du|le) (?:texte|chaîne)| de (?:un|una|um|uma) (?:texto|cadena|string)| da una? (?:testo|stringa)| uit een tekst| z tekstu| из (?:текста|строки)/u;

/** Verbs of more than one word. */
const phrases =
  /^(?:met(?:tre)? [àa] jour|effectue[rz]? (?:un|une) (?:virement|paiement|achat|commande)|passe[rz]? une commande|realizar? una? (?:pago|compra|transferencia|pedido|reserva)|hacer? una? (?:pago|compra|transferencia|pedido|reserva)|faz(?:er)? uma? (?:pagamento|compra|pedido|reserva)|realizar? uma? (?:pagamento|compra|pedido|reserva)|effettua(?:re)? un[ao]? ?(?:pagamento|bonifico|ordine|acquisto|prenotazione)|plaatst een bestelling|gibt eine bestellung auf)(?= |$)/u;

/** Returns the verb of another language than English that a sentence begins with or joins to its first one; null if there is none. */
export function findForeignVerbOrNull(words: readonly string[]): string | null {
  const start = words.findIndex((word) => !introductions.has(word));
  const sentence = ` ${words.join(' ')}`;
  const isChange = (at: number): boolean => {
    const [verb = '', next = ''] = words.slice(at, at + 2);
    if (making.test(verb) && words.slice(at + 1, at + 4).some((word) => returned.test(word))) return false;
    if (ofAText.test(sentence) || denying.has(next) || denying.has(words[at - 1] ?? '') || isParticiple(words, at))
      return false;
    return sure.has(verb) || (doubtful.has(verb) && articles.has(next));
  };
  if (start < 0) return null;
  const phrase = phrases.exec(words.slice(start).join(' '));
  if (phrase !== null) return phrase[0];
  if (isChange(start)) return words[start] ?? null;
  const [first = ''] = words.slice(start);
  const last = words.at(-1) ?? '';
  const isShort = words.length <= 6 && !words.some((word) => denying.has(word) || looking.has(word));
  if (isShort && finalInfinitives.has(last)) return last;
  // "y le envía", "et lui envoie": a pronoun may stand before the verb.
  const verbAfter = (at: number): number => at + (pronouns.has(words[at + 1] ?? '') ? 2 : 1);
  const joint = words.findIndex((word, at) => at > start && joining.has(word) && sure.has(words[verbAfter(at)] ?? ''));
  const joined = joint < 0 ? -1 : verbAfter(joint) - 1;
  const isDenied = words.slice(start, Math.max(start, joined)).some((word) => denying.has(word));
  const isForeign = sure.has(first) || looking.has(first) || words.some((word) => articles.has(word));
  return joined < 0 || isDenied || !isForeign || !isChange(joined + 1) ? null : (words[joined + 1] ?? null);
}

const pronouns = wordsOf('le les lo la los las se lui leur gli ihn ihm sie es hem haar');

/** A German participle looks like the third person: "bestellt und bezahlt am". */
const isParticiple = (words: readonly string[], at: number): boolean =>
  ['am', 'von', 'vom', 'wurden', 'wurde', 'werden', 'par', 'por', 'da', 'door', 'przez'].includes(words[at + 1] ?? '');

/** Chinese: a change, unless it was made before, is denied or only may be, or is the name of a thing. */
const chinese =
  /(?<!不|不会|不能|不可|不要|无需|已|未|被|可|可以|待|是否|前|如何|最近|所|正在)(?:删除|刪除|削除|移除|清空|清除|发送|發送|创建|創建|新建|新增|添加|更新|修改|编辑|編輯|上传|上傳|发布|發佈|购买|購買|支付|转账|轉帳|取消|下单|预订|预约|重启|停用|禁用|启用|提交|注销|退款|覆盖|写入|保存|关闭|升级工单|通知(?=用户|客户|所有))(?!的|了|后的|过|于|记录|历史|日志|时间|状态|列表|情况|.{0,8}(?:图表|图形|哈希|摘要|二维码|图片|示意图))/u;
const chineseLooking =
  /^(?:获取|獲取|查询|查詢|列出|返回|查看|读取|讀取|搜索|检索|查找|显示|预览|分析|计算|统计|检查|验证|模拟|评估|根据.{1,20}(?:查询|获取|返回))/u;
const chineseJoint = /(?:并且?|然后|之后|接着|后)(?:自动|直接|立即)?/u;
/** Japanese: a verb that is spoken as one, `削除します` and not `削除履歴`. */
const japanese =
  /(?<!(?:グラフ|チャート|図|ハッシュ|要約|画像|レポート|QRコード)を)(?:削除|消去|送信|送金|作成|変更|更新|追加|投稿|購入|支払い?|注文|予約|登録|公開|承認|却下|停止|再起動|移動|保存|上書き|キャンセル|解約|取り消)(?:し(?=ます|て(?!いない|いません))|する(?!前|と|か|場合)|します|(?<=を..)$|(?<=を...)$)/u;
/** Korean: likewise, `삭제합니다` and not `삭제 내역`. */
const korean =
  /(?<!(?:차트|그래프|이미지|요약|해시)[를을] )(?:삭제|제거|전송|발송|생성|수정|변경|추가|등록|구매|결제|주문|예약|취소|승인|게시|업로드|저장|송금|이체)(?=합|한다|하고|하며|하여|해|하는|하기|$)|보(?:냅니다|낸다|내고|내기)/u;

/** Returns the Chinese, Japanese or Korean verb by which a sentence or a name says that it changes something; null if there is none. */
export function findEastAsianVerbOrNull(sentence: string): string | null {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(sentence)) return japanese.exec(sentence)?.[0] ?? null;
  if (/\p{Script=Hangul}/u.test(sentence)) return korean.exec(sentence)?.[0] ?? null;
  if (!/\p{Script=Han}/u.test(sentence)) return null;
  if (!chineseLooking.test(sentence)) return chinese.exec(sentence)?.[0] ?? null;
  const joint = chineseJoint.exec(sentence);
  const rest = joint === null ? '' : sentence.slice(joint.index + joint[0].length);
  const found = chinese.exec(rest);
  return found?.index === 0 ? found[0] : null;
}

/** Returns a name without its accents: the words of names are compared so. */
export const foldName = (name: string): string => fold(name.normalize('NFC')).normalize('NFC');
