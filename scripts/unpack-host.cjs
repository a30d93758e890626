// Preloaded (node --require) into the single-file 0.2 runtime: copies the JavaScript tree that the file carries to
// UNPACK_TO. The single file can neither serve the web page nor migrate old sessions, since a package and a worker
// are missing from where it looks for them; the same code on plain Node can do both.
// The tree is readable only once the runtime has mounted it, hence the exit listener.
const fs = require('node:fs')
const path = require('node:path')

const MOUNT = '/snapshot/node'
/** Where the one package that the web profile looks for in vain really lies, below node_modules/@deepseek-ai. */
const PICKER = 'dsh-host-directory-picker'
const PICKER_INSIDE =
  'dsh/node_modules/@deepseek-ai/dsh-host-directory-picker-native/node_modules/@deepseek-ai'

function copyTree(from, to) {
  fs.mkdirSync(to, { recursive: true })
  for (const name of fs.readdirSync(from)) {
    const source = path.join(from, name)
    const target = path.join(to, name)
    // The mounted tree answers readdir, stat and read only; copyFile and dirents are not there.
    if (fs.statSync(source).isDirectory()) copyTree(source, target)
    else fs.writeFileSync(target, fs.readFileSync(source))
  }
}

process.on('exit', () => {
  const target = process.env.UNPACK_TO
  if (!target) return
  copyTree(MOUNT, target)
  const scope = path.join(target, 'node_modules', '@deepseek-ai')
  const inside = path.join(scope, PICKER_INSIDE, PICKER)
  if (fs.existsSync(inside) && !fs.existsSync(path.join(scope, PICKER)))
    fs.cpSync(inside, path.join(scope, PICKER), { recursive: true })
})
