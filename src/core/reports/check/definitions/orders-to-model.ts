import { findingBy, type CheckFinding } from '../finding.ts';
import { findingOnTool, type PlacedText, type ReadServer, type ToolRule } from './read-tool.ts';
import { quoted } from './tool-words.ts';

const shownOrders = 5;

interface Order {
  /** Completes "it tells the model to ...". */
  readonly orders: string;
  readonly pattern: RegExp;
  /** Only in the description of a tool: of an argument the same words are its meaning. */
  readonly ofToolOnly?: true;
}

const ignoring = 'ignore its other instructions';
const hiding = 'keep something from the user';
const first = 'call it before all other tools';
const instead = 'prefer it to all other tools';
const taking = 'hand over what it knows from elsewhere';
const unasked = 'act without asking the user';

/** Orders that go beyond the use of a tool. Each pattern stays within a sentence, so that it does not join words of two. */
const orders: readonly Order[] = [
  {
    orders: ignoring,
    pattern:
      /\b(?:ignore|disregard|forget|override|overrule)\b[^.!?\n]{0,40}\b(?:previous|prior|above|earlier|other|system|existing|all|your)\b[^.!?\n]{0,30}\b(?:instructions?|prompts?|guidelines?|directives?|policy|policies|rules)\b/i,
  },
  {
    orders: ignoring,
    pattern:
      /\b(?:this|these instructions?) (?:supersedes?|overrides?|takes? precedence over) (?:all|any|your|the)\b[^.\n]{0,30}\b(?:instructions?|rules|prompts?)/i,
  },
  { orders: ignoring, pattern: /\bignorier(?:e|en sie|t)\b[^.!?\n]{0,50}\b(?:anweisung|regel|vorgabe|instruktion)/i },
  {
    orders: ignoring,
    pattern:
      /\bignore[rz]?\b[^.!?\n]{0,40}\b(?:instructions?|consignes?|règles)\b[^.!?\n]{0,20}\b(?:précédentes|antérieures|autres)/i,
  },
  { orders: ignoring, pattern: /\bignor[ae]n?\b[^.!?\n]{0,40}\b(?:instrucciones|instruções|istruzioni|reglas)\b/i },
  {
    orders: ignoring,
    pattern:
      /(?:忽略|无视|忘记)[^。！\n]{0,12}(?:指令|指示|提示|规则)|(?:以前|これまで|上記)の[^。\n]{0,4}(?:指示|命令)[^。\n]{0,6}無視|(?:이전|기존)[^.\n]{0,6}(?:지시|명령)[^.\n]{0,6}무시/u,
  },
  { orders: ignoring, pattern: /(?:игнорируй|проигнорируй|забудь)[^.!?\n]{0,50}(?:инструкц|указани|правил)/iu },
  {
    orders: hiding,
    pattern:
      /\b(?:do not|don['’]t|never|must not|should not|shouldn['’]t|without)\s+(?:ever\s+)?(?:tell|telling|mention|mentioning|inform|informing|reveal|revealing|disclose|disclosing)\b[^.!?\n]{0,80}\b(?:users?|humans?|anyone|anybody|person|operator|people)\b/i,
  },
  {
    orders: hiding,
    pattern:
      /\b(?:do not|don['’]t|never|must not)\s+(?:ever\s+)?(?:mention|reveal|disclose|say|talk about)\b[^.!?\n]{0,20}\b(?:this|that you|these (?:steps|instructions)|it)\b/i,
  },
  {
    orders: hiding,
    pattern:
      /\b(?:keep|hide|conceal)\b[^.!?\n]{0,40}\b(?:secret |hidden )?from the (?:user|human)\b|\bthe (?:user|human) (?:must|should|may|can)(?: not|n['’]t) (?:know|see|notice|learn|find out|be told)\b|\bwithout the (?:user|human)(?:['’]s)? (?:knowing|knowledge|noticing)\b/i,
  },
  {
    orders: hiding,
    pattern:
      /\b(?:sag|sage|sagen sie|erwähn|erwähne|erwähnen sie|verrat|verrate|erzähl|erzähle|teile?)\b[^.!?\n]{0,60}\b(?:nutzer\w*|benutzer\w*|anwender\w*|niemand\w*)\b[^.!?\n]{0,40}\b(?:nicht\w*|nie|kein\w*)|\b(?:nutzer|benutzer|anwender)n?\b[^.!?\n]{0,20}\b(?:nichts?|nie) (?:sagen|verraten|erzählen|mitteilen|erwähnen)|\b(?:sag|sage|erzähl|erzähle|verrate|erwähne)\b[^.!?\n]{0,20}\b(?:dem|den) (?:nutzer|benutzer|anwender)n? (?:nichts?|nie)\b/i,
  },
  {
    orders: hiding,
    pattern:
      /\bne (?:le |la |les |lui )?(?:dis|dites|mentionne[rz]?|parle[rz]?|révèle[rz]?|informe[rz]?)\b[^.!?\n]{0,60}\butilisateur|\bno (?:le |lo |se lo )?(?:digas?|menciones?|informes?|reveles?|cuentes?)\b[^.!?\n]{0,60}\busuario|\bnão (?:diga|mencione|informe|revele)\b[^.!?\n]{0,60}\busuário|\bnon (?:dire|menzionare|rivelare|informare)\b[^.!?\n]{0,60}\butente/i,
  },
  {
    orders: hiding,
    pattern:
      /(?:不要|别|勿|禁止)[^。！\n]{0,6}(?:告诉|告知|提及|透露|通知)[^。！\n]{0,8}(?:用户|使用者)|(?:不要|别|勿)(?:向|对|跟)(?:用户|使用者)[^。！\n]{0,8}(?:提|说|透露)|ユーザー[^。\n]{0,12}(?:言わない|伝えない|知らせない|教えない|話さない)|사용자[^.\n]{0,12}(?:말하지|알리지|언급하지)/u,
  },
  { orders: hiding, pattern: /не (?:говори|сообщай|упоминай|рассказывай)(?:те)?[^.!?\n]{0,50}пользовател/iu },
  {
    orders: 'read hidden instructions',
    pattern:
      /<\/?(?:important|critical|secret|hidden|admin|urgent)\b[^<>\n]{0,40}>|<\/(?:system|instructions?|assistant|prompt)>|^\s*<(?:system|assistant)>|<\|(?:im_start|system|assistant)[^<>\n]{0,20}\|?>|<<sys>>|\[\/?inst\]/im,
  },
  {
    orders: 'take a text for the word of its system',
    pattern:
      /^\s*(?:system|developer) ?(?:prompt|message|note|override)? ?: ?(?=\S)|\byou are now (?:a|an|in|the)\b|\bnew (?:system )?instructions ?:/im,
  },
  {
    orders: first,
    pattern:
      /\b(?:before|prior to) (?:you )?(?:(?:using|use|calling|call|invoking|invoke|running|run|trying|try) )?(?:any|every|each|all)(?: of the)? (?:other )?tools?(?: calls?)?\b(?! (?:of|in|from|on) (?:this|the same|our|the \w+) (?:server|service|toolset))|\bbefore (?:doing )?anything else\b|\b(?:first|before (?:all|any|every)) (?:thing )?in (?:every|each) (?:conversation|session|chat)\b/i,
  },
  {
    orders: first,
    pattern:
      /\b(?:bevor|ehe) [^.!?\n]{0,30}\b(?:ander\w+|irgendein\w*) (?:werkzeuge?|tools?)\b|\bvor (?:jedem|allen|jeder) (?:ander\w+ )?(?:werkzeug\w*|tools?)\b|\bavant (?:d['’](?:utiliser|appeler) )?(?:tout|tous les|n['’]importe quel) autres? outils?\b|\bantes de (?:usar|llamar|utilizar) (?:cualquier|todas las)[^.!?\n]{0,10} (?:otra )?herramientas?\b/i,
  },
  {
    orders: first,
    pattern: /(?:使用|调用)(?:任何|所有)?其他(?:任何)?工具(?:之)?前|他の(?:すべての)?ツール[^。\n]{0,10}前に/u,
  },
  {
    orders: instead,
    pattern:
      /\b(?:instead of|rather than|in preference to|over) (?:(?:any|all|every|using|the) ){0,2}other (?:[\w-]+ )?(?:tools?|servers?)\b(?! (?:of|in|from|on) (?:this|the same|our) (?:server|service))|\balways prefer (?:this|it|me)\b|\bprefer this (?:tool )?(?:over|to|instead)\b|\b(?:never|do not|don['’]t) (?:ever )?(?:use|call) (?:any )?other (?:[\w-]+ )?(?:tools?|servers?)\b/i,
  },
  {
    orders: instead,
    pattern:
      /\balways (?:use|call|choose|pick|invoke|select) this\b[^.!?\n]{0,40}\b(?:instead of (?:your|the) (?:own|built-?in|native|default|standard) |regardless|no matter|even (?:if|when))|\b(?:use|call) (?:this|it)\b[^.!?\n]{0,40}\b(?:no matter|regardless of) what (?:the user|was|is|you)\b|\beven (?:if|when|though) the user (?:does not|doesn['’]t|did not|didn['’]t|has not|hasn['’]t) (?:ask|request|want|mention)/i,
  },
  {
    orders: 'put words into its answers',
    pattern:
      /\b(?:mention|add|include|recommend|append|insert|advertise|praise|promote|link to|end with|repeat)\b[^.!?\n]{0,60}\b(?:in|to|with|at the end of) (?:every|each|all)(?: of)?(?: your)? (?:answers?|response|repl(?:y|ies)|conversations?)\b|\b(?:in|after|with|at the end of) (?:every|each|all)(?: of)?(?: your)? (?:answers?|responses?|repl(?:y|ies)),? (?:always |you must )?(?:mention|add|include|recommend|append|insert|say|advertise|praise|promote|call)\b|\b(?:after|before) (?:every|each) (?:answer|response|reply|user message|message of the user|prompt|turn),? (?:always |you must |also )?call\b/i,
  },
  {
    orders: taking,
    pattern:
      /\b(?:read|include|send|pass|copy|paste|attach|append|put|provide|add|upload|extract|forward|insert|write|give|fetch|open|load)\b[^.!?\n]{0,80}(?:~\/\.ssh|\.ssh\/|\bid_(?:rsa|ed25519)\b|\.aws\/credentials|\bsystem (?:prompt|message)\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|\bclaude_desktop_config|\.npmrc\b|\.netrc\b|\bbrowser cookies\b|\bcontents? of (?:the |your |any )?`?(?:[\w~./]*\/)?\.env\b)/i,
  },
  {
    orders: taking,
    pattern:
      /\b(?:include|send|pass|copy|paste|attach|append|put|provide|add|forward|insert|write)\b[^.!?\n]{0,60}\b(?:(?:whole|entire|full|complete|previous|prior|earlier|past|your) (?:conversation|chat)\b|(?:conversation|chat) (?:history|so far|transcript)\b|(?:all|every) (?:previous|prior|earlier|past) (?:messages?|turns?|user messages)|contents? of (?:the |all |any |your )*(?:previous|earlier|prior|other) (?:messages?|conversations?|files?|answers?)|(?:results?|outputs?|answers?) of (?:all )?(?:other|previous|earlier) tools?)/i,
  },
  {
    orders: taking,
    pattern:
      /\b(?:include|send|pass|copy|paste|attach|append|put|add|forward|insert)\b[^.!?\n]{0,50}\b(?:your|the user['’]s|all|any|known|their) (?:[\w-]+ ){0,2}(?:api keys?|passwords?|credentials|secrets|access tokens?|private keys?|environment variables)\b[^.!?\n]{0,60}\b(?:argument|parameter|field|here|in `|as `|into|to the)/i,
  },
  {
    orders: taking,
    pattern:
      /\b(?:füge?|gib|schreib\w*|übergib|sende|kopiere)\b[^.!?\n]{0,60}\b(?:system-?prompt|gesprächsverlauf|bisherige[ns]? (?:gespräch|unterhaltung)|\.env|passw\w+ des nutzers)|\b(?:inclu\w+|envoi\w+|envía|env[ií]e|añad\w+|ajout\w+)\b[^.!?\n]{0,60}\b(?:historique de (?:la )?conversation|historial de (?:la )?conversación|prompt (?:système|del sistema))|(?:系统提示词?|对话历史|聊天记录|全部对话)[^。\n]{0,10}(?:传入|发送|填入|附上|放入)|(?:传入|发送|填入|附上|包含)[^。\n]{0,12}(?:系统提示|完整对话|对话历史|聊天记录)/iu,
  },
  {
    orders: unasked,
    ofToolOnly: true,
    pattern:
      /\b(?:call|use|run|invoke|proceed|execute|act|do (?:this|so|it)|continue)\b[^.!?:;\n]{0,60}\bwithout (?:first |ever )?(?:asking(?: (?:the user|for|first|them|anyone))?\b|(?:waiting for |requesting |seeking |any )?(?:user |the user['’]s )?(?:confirmation|consent|approval|permission) (?:of|by|from) the user\b|(?:requesting|seeking|waiting for|getting) (?:user |the user['’]s )?(?:confirmation|consent|approval|permission))|\b(?:do not|don['’]t|never) ask (?:the user )?(?:for (?:confirmation|permission|consent|approval)|the user (?:first|before))/i,
  },
  {
    orders: unasked,
    ofToolOnly: true,
    pattern:
      /\bohne (?:den (?:nutzer|benutzer) zu fragen|rückfrage|nachzufragen|zu fragen)\b|\bsans (?:demander|l['’]accord de l['’]utilisateur)\b|\bsin (?:preguntar|pedir confirmación)\b/i,
  },
];

/** Names of tools that work on what other tools must not ask for. */
const worksOnConversations =
  /^(?:conversation|chat|message|thread|transcript|summar|prompt|memory|memor|history|log|ssh|dotenv|env)/;

/** Finds orders to the model that go beyond the use of a tool. */
export const findOrdersToModel: ToolRule = (tool) => {
  const found = tool.texts.flatMap((text) => listOrders(text, text.where === 'description'));
  const isItsWork = tool.named.words.some((word) => worksOnConversations.test(word));
  const kept = found.filter(({ orders: what }) => what !== taking || !isItsWork);
  const said = describe(kept);
  if (said === null) return null;
  // An order of calls may be meant for the tools of this server alone, so by itself it is no attack.
  const isMild = kept.every(({ orders: what }) => what === first || what === instead);
  return findingOnTool('instructions-to-model', tool, isMild ? { ...said, severity: 'medium' } : said);
};

/** Finds them in the instructions of a server, which may say in which order its tools are called. */
export const findOrdersInInstructions = ({ name, instructions }: ReadServer): CheckFinding | null => {
  const found = listOrders({ where: 'instructions', text: instructions }, true);
  const said = describe(found.filter(({ orders: what }) => what !== first && what !== instead));
  return said === null ? null : findingBy('instructions-to-model', { ...said, server: name });
};

interface FoundOrder {
  readonly orders: string;
  readonly where: string;
  readonly words: string;
}

const listOrders = ({ where, text }: PlacedText, ofTool: boolean): FoundOrder[] =>
  orders.flatMap(({ orders: what, pattern, ofToolOnly }) => {
    const match = ofToolOnly === true && !ofTool ? null : pattern.exec(text);
    return match === null ? [] : [{ orders: what, where, words: match[0].trim() }];
  });

const describe = (found: readonly FoundOrder[]): Pick<CheckFinding, 'sentence' | 'proposal' | 'evidence'> | null => {
  const [one] = found;
  if (one === undefined) return null;
  return {
    sentence: `its ${one.where} tells the model to ${one.orders}: ${quoted(one.words, 120)}`,
    evidence: found.slice(0, shownOrders).map(({ where, words }) => `${where}: ${quoted(words, 200)}`),
    proposal:
      'say only what the tool does, what it needs and what it returns; leave the rest to the user and the model',
  };
};
