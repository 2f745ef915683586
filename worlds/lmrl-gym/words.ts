/** The words of Wordle: 400 common words of five letters, as many as the paper's list has. */
export const WORDS: readonly string[] = `
  about above actor acute admit adopt adult after again agent agree ahead alarm album alert alike
  alive allow alone along alter among anger angle angry apart apple apply arena argue arise armed
  array arrow aside asset audio avoid award aware badly baker bases basic basin basis beach beard
  beast began begin being below bench berry birth black blade blame blank blast blend bless blind
  block blood bloom board boast bonus boost booth bound brain brand brave bread break breed brick
  bride brief bring broad broke brown brush build built bunch burst buyer cabin cable camel candy
  cargo carry catch cause chain chair chalk charm chart chase cheap check cheek cheer chest chief
  child chill china choir chose civil claim class clean clear clerk cliff climb clock close cloth
  cloud coach coast count court cover crack craft crane crash crazy cream crime crisp cross crowd
  crown cruel crush curve cycle daily dairy dance death delay delta dense depth dirty donor doubt
  dozen draft drain drama dream dress drift drill drink drive eager early earth eight elbow elder
  elect empty enemy enjoy enter entry equal error essay event every exact exist extra faint faith
  false fancy fault favor feast fence fever fiber field fifth fifty fight final first flame flash
  fleet flesh float flock flood floor flour fluid focus force forge forth forty found frame fresh
  front frost fruit funny giant given glass globe glory glove grace grade grain grand grant grape
  graph grasp grass grave great green greet grief grind group guard guess guest guide habit happy
  harsh heart heavy hello hobby honey honor horse hotel house human humor hurry ideal image index
  inner input issue ivory jewel joint judge juice knife knock label labor large laser later laugh
  layer learn least leave legal lemon level light limit linen liver local logic loose lower loyal
  lucky lunch magic major maker march marry match maybe mayor meant medal melon mercy merit metal
  minor mixed model money month moral motor mount mouse mouth movie music naked nerve never night
  noble noise north novel nurse ocean offer often olive onion opera orbit order organ other outer
  owner paint panel paper party pasta patch pause peace pearl phase phone photo piano piece pilot
  pitch place plain plane plant plate point pound power press price pride prime print prize proof
  proud queen quick quiet radio raise range rapid reach ready right river robot round route split
`
  .trim()
  .split(/\s+/);
