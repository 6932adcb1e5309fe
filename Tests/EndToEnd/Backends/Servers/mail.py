"""Takes mail on loopback and writes each message to a file. usage: mail.py FOLDER PORT"""
import sys
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer

folder = Path(sys.argv[1])


class Handler(StreamRequestHandler):
    def reply(self, text):
        self.wfile.write(f"{text}\r\n".encode())

    def handle(self):
        self.reply("220 loopback")
        message = None
        for line in self.rfile:
            line = line.decode().rstrip("\r\n")
            word = line.upper().split(" ")[0]
            if message is not None and line != ".":
                message.append(line)
            elif message is not None:
                with open(folder / "mail.txt", "a") as file:
                    file.write("\n".join(message) + "\n")
                message = None
                self.reply("250 ok")
            elif word == "DATA":
                message = []
                self.reply("354 go on")
            elif word == "QUIT":
                return self.reply("221 bye")
            else:
                self.reply("250 ok")


class Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True


Server(("127.0.0.1", int(sys.argv[2])), Handler).serve_forever()
