#!/usr/bin/env python3
"""
A small stand-in for systemd, systemctl, systemd-run and journalctl. As the first process of a machine, it starts the units that are enabled. It
reads the unit files of Debian and of the manual with their drop-ins, and knows what these need: users, environments, %H, notifications, restarts
and reloads. It knows no sandboxes, limits, watchdogs and dependencies between units.
"""
import array, glob, json, os, re, shlex, signal, socket, subprocess, sys, threading, time

CONTROL = '/run/stand-in/control'
ENABLED = '/var/lib/stand-in/enabled'
LOGS = '/var/log/stand-in'
START_TIMEOUT_SECONDS = 90
STOP_TIMEOUT_SECONDS = 60


def settings_of(name):
    """The sections of the unit file and its drop-ins, as lists of values."""
    found = [path for path in (f'/etc/systemd/system/{name}.service', f'/lib/systemd/system/{name}.service') if os.path.exists(path)]
    if not found:
        raise LookupError(f'Unit {name}.service not found.')
    settings = {}
    for path in [found[0], *sorted(glob.glob(f'/etc/systemd/system/{name}.service.d/*.conf'))]:
        for line in open(path).read().replace('\\\n', ' ').splitlines():
            key, sign, value = line.partition('=')
            if sign and not line.startswith(('#', ';')):
                settings.setdefault(key.strip(), []).append(value.strip().replace('%H', socket.gethostname()).replace('%p', name))
    return settings


def environment_of(settings):
    environment = {'PATH': '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'LANG': 'C.UTF-8'}
    for value in settings.get('Environment', []):
        environment.update(pair.split('=', 1) for pair in shlex.split(value))
    for path in settings.get('EnvironmentFile', []):
        try:
            lines = open(path.lstrip('-')).read().splitlines()
        except FileNotFoundError:
            if path.startswith('-'):
                continue
            raise
        pairs = [line.split('=', 1) for line in lines if '=' in line and not line.startswith('#')]
        environment.update((name, value[1:-1] if re.fullmatch('".*"', value) else value) for name, value in pairs)
    return environment


def expanded(command, environment):
    """The words of a command. A word $NAME becomes the words of the variable."""
    words = []
    for word in shlex.split(command.lstrip('-')):
        variable = re.fullmatch(r'\$(\w+)', word)
        words += shlex.split(environment.get(variable[1], '')) if variable else [word]
    return words


def as_user(user, capabilities=()):
    if not user:
        return []
    names = ','.join(f'+{name.lower().removeprefix("cap_")}' for name in capabilities if name)
    more = [f'--inh-caps={names}', f'--ambient-caps={names}'] if names else []
    return ['setpriv', f'--reuid={user}', f'--regid={user}', '--init-groups', *more, '--']


class Unit:
    def __init__(self, name):
        self.name = name
        self.changed = threading.Condition()
        self.process = None
        self.is_wanted = False
        self.is_ready = False
        self.has_failed = False
        self.main = None

    def start(self, waits=True):
        with self.changed:
            if self.process is not None:
                return
            self.settings = settings_of(self.name)
            self.is_wanted = True
            self.spawn()
            if waits and not self.changed.wait_for(lambda: self.is_ready or self.has_failed, START_TIMEOUT_SECONDS):
                raise RuntimeError(f'Job for {self.name}.service failed because a timeout was exceeded.')
            if waits and self.has_failed:
                raise RuntimeError(f'Job for {self.name}.service failed. See journalctl --unit {self.name}.')

    def spawn(self):
        environment = environment_of(self.settings)
        last = lambda key, default='': self.settings.get(key, [default])[-1]
        user = last('User')
        if user:
            environment |= {'USER': user, 'LOGNAME': user, 'HOME': os.path.expanduser(f'~{user}')}
        self.is_ready = last('Type') != 'notify'
        self.has_failed = False
        if not self.is_ready:
            environment['NOTIFY_SOCKET'] = self.listen()
        state = last('StateDirectory')
        if state:
            os.makedirs(f'/var/lib/{state}', exist_ok=True)
            subprocess.run(['chown', f'{user}:{user}', f'/var/lib/{state}'], check=True)
        log = open(f'{LOGS}/{self.name}', 'ab')
        command = expanded(last('ExecStart'), environment)
        capabilities = last('AmbientCapabilities').split()
        self.process = subprocess.Popen(
            [*as_user(user, capabilities), *command], env=environment, cwd=last('WorkingDirectory', '/'),
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True)
        self.main = self.process.pid
        threading.Thread(target=self.follow, args=(self.process,), daemon=True).start()

    def listen(self):
        path = f'/run/stand-in/notify-{self.name}'
        if os.path.exists(path):
            os.unlink(path)
        server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        server.bind(path)
        os.chmod(path, 0o777)
        threading.Thread(target=self.hear, args=(server,), daemon=True).start()
        return path

    def hear(self, server):
        while True:
            text, control, _, _ = server.recvmsg(4096, socket.CMSG_SPACE(64))
            for _, _, data in control:
                # systemd-notify waits until its descriptor is closed.
                for descriptor in array.array('i', data[:len(data) // 4 * 4]):
                    os.close(descriptor)
            with self.changed:
                for line in text.decode().splitlines():
                    if line == 'READY=1':
                        self.is_ready = True
                    if line.startswith('MAINPID='):
                        self.main = int(line.removeprefix('MAINPID='))
                self.changed.notify_all()

    def follow(self, process):
        code = process.wait()
        with self.changed:
            self.process = None
            self.has_failed = True
            self.changed.notify_all()
            restart = self.settings.get('Restart', ['no'])[-1]
            if not self.is_wanted or restart == 'no' or (restart == 'on-failure' and code == 0):
                return
        time.sleep(float(self.settings.get('RestartSec', ['0.1'])[-1].rstrip('s')))
        with self.changed:
            if self.is_wanted and self.process is None:
                self.spawn()

    def stop(self):
        with self.changed:
            self.is_wanted = False
            if self.process is None:
                return
            os.kill(self.main, signal.SIGTERM)
            if not self.changed.wait_for(lambda: self.process is None, STOP_TIMEOUT_SECONDS):
                os.kill(self.main, signal.SIGKILL)
                self.changed.wait_for(lambda: self.process is None)

    def reload(self):
        environment = {**environment_of(self.settings), 'MAINPID': str(self.main)}
        subprocess.run(expanded(self.settings['ExecReload'][-1], environment), env=environment, check=True)


units = {}
units_lock = threading.Lock()


def unit_of(name):
    with units_lock:
        return units.setdefault(name, Unit(name))


def act(verb, names, options):
    for name in names:
        if verb in ('enable', 'disable'):
            settings_of(name)
            path = f'{ENABLED}/{name}'
            open(path, 'w').close() if verb == 'enable' else os.path.exists(path) and os.unlink(path)
        if verb in ('stop', 'restart') or '--now' in options and verb == 'disable':
            unit_of(name).stop()
    starting = [unit_of(name) for name in names if verb in ('start', 'restart') or '--now' in options and verb == 'enable']
    for unit in starting:
        unit.start('--no-block' not in options)
    if verb == 'reload':
        for name in names:
            unit_of(name).reload()


def serve(connection):
    try:
        verb, names, options = json.loads(connection.makefile().readline())
        act(verb, names, options)
        connection.sendall(b'{}\n')
    except Exception as error:
        connection.sendall(json.dumps({'error': str(error)}).encode() + b'\n')
    connection.close()


def receive(connection):
    """The other side of scp.py."""
    stream = connection.makefile('rb')
    directory = stream.readline().decode().strip()
    subprocess.run(['tar', '--extract', '--directory', directory], input=stream.read(), check=True)
    connection.sendall(b'done\n')
    connection.close()


def accept(server, handle):
    while True:
        connection, _ = server.accept()
        threading.Thread(target=handle, args=(connection,), daemon=True).start()


def reap():
    """The first process inherits those whose parents end. The others belong to threads that wait for them."""
    while True:
        own = {unit.process.pid for unit in list(units.values()) if unit.process is not None}
        for entry in os.listdir('/proc'):
            if not entry.isdigit() or int(entry) in own:
                continue
            try:
                state, parent = open(f'/proc/{entry}/stat').read().rpartition(')')[2].split()[:2]
                if state == 'Z' and parent == '1' and int(entry) not in {unit.process.pid for unit in list(units.values()) if unit.process}:
                    os.waitpid(int(entry), os.WNOHANG)
            except (FileNotFoundError, ProcessLookupError, ChildProcessError):
                pass
        time.sleep(0.5)


def run_machine():
    # keepalived notifies only a first process of this name.
    open('/proc/self/comm', 'w').write('systemd')
    for directory in ('/run/stand-in', ENABLED, LOGS):
        os.makedirs(directory, exist_ok=True)
    control = socket.socket(socket.AF_UNIX)
    control.bind(CONTROL)
    control.listen()
    copies = socket.create_server(('0.0.0.0', 22))
    threading.Thread(target=accept, args=(copies, receive), daemon=True).start()
    threading.Thread(target=reap, daemon=True).start()
    for name in sorted(os.listdir(ENABLED)):
        threading.Thread(target=lambda each=name: unit_of(each).start(False), daemon=True).start()
    accept(control, serve)


def systemctl(arguments):
    options = [each for each in arguments if each.startswith('-')]
    verb, *names = [each for each in arguments if not each.startswith('-')]
    if verb == 'daemon-reload':
        return
    known = {'enable', 'disable', 'start', 'stop', 'restart', 'reload'}
    if verb not in known or not set(options) <= {'--now', '--no-block'}:
        sys.exit(f'the stand-in does not know systemctl {" ".join(arguments)}')
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(CONTROL)
    connection.sendall(json.dumps([verb, names, options]).encode() + b'\n')
    answer = json.loads(connection.makefile().readline())
    if 'error' in answer:
        sys.exit(answer['error'])


def systemd_run(arguments):
    settings, user = {}, None
    while arguments and arguments[0].startswith('--'):
        option, _, value = arguments.pop(0).partition('=')
        if option == '--uid':
            user = value
        elif option == '--property':
            settings.setdefault(value.split('=', 1)[0], []).append(value.split('=', 1)[1])
        elif option == '--setenv':
            settings.setdefault('Environment', []).append(shlex.quote(value))
        elif option not in ('--pipe', '--wait', '--quiet'):
            sys.exit(f'the stand-in does not know systemd-run {option}')
    command = [*as_user(user), *arguments]
    os.execvpe(command[0], command, environment_of(settings))


def journalctl(arguments):
    if arguments[0] != '--unit' or set(arguments[2:]) - {'--no-pager'}:
        sys.exit(f'the stand-in does not know journalctl {" ".join(arguments)}')
    sys.stdout.write(open(f'{LOGS}/{arguments[1]}').read())


programs = {'systemctl': systemctl, 'systemd-run': systemd_run, 'journalctl': journalctl}
program = programs.get(os.path.basename(sys.argv[0]))
program(sys.argv[1:]) if program else run_machine()
