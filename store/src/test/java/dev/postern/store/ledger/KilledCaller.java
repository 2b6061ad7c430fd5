package dev.postern.store.ledger;

import dev.postern.gate.ledger.Ledger;
import dev.postern.store.Store;
import dev.postern.store.crypto.KeySource;
import dev.postern.store.file.DataDirectory;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/**
 * Opens a store and makes calls until it is killed. After each step it prints what is promised to be on the disk. With
 * {@code between}, it makes two calls, and stops inside the third; with {@code many}, eight threads go on and on.
 */
final class KilledCaller {
    private KilledCaller() {}

    public static void main(String[] arguments) throws InterruptedException {
        DataDirectory directory = DataDirectory.open(Path.of(arguments[0]));
        Ledger ledger = Store.open(directory, KeySource.file()).ledger();
        if (arguments[1].equals("between")) {
            for (int i = 1; i <= 2; i++) {
                ledger.intend(Calls.intent("call" + i));
                ledger.append(Calls.closing("call" + i));
            }
            ledger.intend(Calls.intent("call3"));
            ledger.intend(Calls.intent("call4"));
            System.out.println("between");
            System.out.flush();
        } else {
            for (int thread = 0; thread < 8; thread++) {
                String name = arguments[2] + "-" + thread + "-";
                Thread.ofVirtual().start(() -> callForEver(ledger, name));
            }
        }
        new CountDownLatch(1).await();
    }

    private static void callForEver(Ledger ledger, String name) {
        for (int call = 0; ; call++) {
            String id = name + call;
            if (call % 3 == 2) {
                ledger.append(Calls.plain(id));
                continue;
            }
            ledger.intend(Calls.intent(id));
            say("intended " + id);
            ledger.append(Calls.closing(id));
            say("closed " + id);
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
